import { sheet } from '../element/styles.js';

/** How rows look, and what stands around them. */
export const rowStyles = sheet(`
.row {
  position: relative; align-content: center; min-block-size: 56px; padding: 10px 16px; row-gap: 2px;
  box-shadow: 0 -17px 0 -16px var(--rl-line);
}
/* Room for the line of its first row, as it cuts off what is above. Not of those that follow another: to find those in long
   lists takes longer than to lay rows out. */
.group { padding-block-start: 1px; }
:first-child > .group:first-child .row:first-child { box-shadow: none; }
.row > [part=subtitle] { margin-block-start: 2px; }
/* Words alone are no grid: rows are many, and a grid takes twice as long. */
.row:where([data-parts~=image], [data-parts~=badge], [data-parts~=detail], [data-parts~=time]) {
  display: grid; grid-template-columns: auto minmax(0, 1fr) fit-content(45%) auto; align-items: baseline;
  & [part=subtitle] { margin: 0; }
}
.row:where([data-parts~=badge][data-parts~=detail]) { grid-template-columns: auto minmax(0, 1fr) fit-content(28%) fit-content(28%); }
.row > * { display: block; }
/* What is longer ends in an ellipsis; an open row has all of it. */
[data-parts~=long] > :is([part~=title], [part=subtitle], [part=detail]) {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--refreshable-lines, 2); line-clamp: var(--refreshable-lines, 2);
  overflow: hidden;
}
/* Chromium draws the ellipsis of left-to-right text past the right edge of its box. The padding keeps it from being cut off. */
[data-parts~=long] > :is([part~=title], [part=subtitle]):dir(rtl), [data-parts~=prose] > [part=detail]:dir(rtl) {
  padding-inline-start: 1em; margin-inline-start: -1em;
}
[part=badge], .row:not([data-parts~=prose]) > [part=detail] {
  display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-inline-size: calc(100% - 12px);
}
.row:not([data-parts~=subtitle], [data-parts~=time], [data-parts~=prose]) { align-items: center; & [part=image] { grid-row: 1; } }
[part=image] {
  grid-column: 1; grid-row: 1 / span 2; align-self: center; inline-size: 40px; block-size: 40px;
  margin-inline-end: 12px; border-radius: 10px; object-fit: cover; background: var(--rl-line);
}
[part~=title] { grid-column: 2; font-weight: 500; color: inherit; text-decoration: none; }
a[part~=title][href]::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible { outline: none; }
a[part~=title][role]:focus-visible::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible::after, .row:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: -3px; border-radius: 12px; }
@media (hover: hover) { [data-parts~=link]:hover { background-color: color-mix(in srgb, var(--rl-accent) 7%, transparent); border-radius: var(--rl-radius); } }
[data-parts~=subtitle]:not([data-parts~=badge], [data-parts~=detail]) [part=title] { grid-column: 2 / -1; }
[part=subtitle] { grid-column: 2; grid-row: 2; font-size: .8125rem; color: var(--rl-quiet); }
[part=badge], [part=detail], [part=time] { margin-inline-start: 12px; }
[part=badge] {
  grid-column-start: 3; grid-row: 1; justify-self: end; font-size: .75rem; font-weight: 600; line-height: 1.25rem;
  padding-inline: 8px; border-radius: 10px; color: var(--rl-accent);
  background: color-mix(in srgb, var(--rl-accent) 9%, transparent); font-variant-numeric: tabular-nums;
}
[part=detail] {
  grid-column: 3; grid-row: 1; justify-self: end; font-size: .875rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums;
}
[data-parts~=badge] > [part=detail] { grid-column: 4; }
[data-parts~=prose] [part=detail] { grid-column: 2 / -1; grid-row: 3; justify-self: start; margin: 0; }
[data-parts~=prose]:not([data-parts~=badge]) [part=time] { grid-row: 1 !important; }
[part=time] {
  grid-column: 3 / span 2; grid-row: 2; justify-self: end; font-size: .8125rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.row:not([data-parts~=subtitle], [data-parts~=detail], [data-parts~=badge]) [part=time] { grid-row: 1; }
/* Of words in another direction than the page's, each keeps its own, but all begin at the same side. */
.row > *, .words > *, [part=error] p > *, [part=more] span {
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
.find { padding: 0 var(--rl-gutter) 8px; background: color-mix(in srgb, var(--rl-background) 86%, transparent); backdrop-filter: blur(18px); }
[part=find] {
  inline-size: 100%; min-block-size: 44px; padding-inline: 16px; border: 0; border-radius: 12px; font: inherit; color: inherit;
  background: color-mix(in srgb, currentColor 8%, transparent);
}
[part=find]:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: -2px; }
[data-busy] { position: relative; }
[data-busy]::after {
  content: ''; position: absolute; inset-block: 14px auto; inset-inline-end: calc(var(--rl-gutter) + 40px); inline-size: 16px; block-size: 16px;
  border-radius: 50%; border: 2px solid var(--rl-line); border-block-start-color: var(--rl-accent); animation: turn .8s linear infinite, appear .4s;
}
::highlight(refreshable-found) { background: color-mix(in srgb, var(--rl-accent) 28%, transparent); color: inherit; }
/* Not seen yet. */
[data-unread]::before {
  content: ''; content: '' / attr(data-unread); position: absolute; inset-inline-start: 4px; inset-block-start: calc(50% - 4px);
  inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--rl-accent);
}
[data-unread] > [part~=title] { font-weight: 650; }
[role=button] { cursor: pointer; }
.row > [part=disclosure] {
  position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: 44px; display: grid; place-items: center; color: var(--rl-quiet);
  margin: 0;
}
[part=disclosure]::after {
  content: ''; inline-size: 8px; block-size: 8px; border: solid; border-width: 0 2px 2px 0; rotate: 45deg; translate: 0 -2px; transition: rotate .2s;
}
[data-parts~=disclosure] { padding-inline-end: 44px; }
/* Room for the button of their actions, before there is one. */
[data-acts] .row { padding-inline-end: 52px; }
[data-acts] [data-parts~=disclosure] { padding-inline-end: 92px; }
[data-open] > [part=disclosure] { inset-block: 0 auto; block-size: 44px; }
[data-open] > [part=disclosure]::after { rotate: 225deg; translate: 0 2px; }
/* Open: nothing is cut short. */
[data-open] > :is([part~=title], [part=subtitle], [part=detail]) { -webkit-line-clamp: none; line-clamp: none; }
[data-open] > :is([part=badge], [part=detail]) { white-space: normal !important; }
.row > [part=details] { grid-column: 1 / -1; grid-row: 4; font-size: .875rem; padding-block: 8px 4px; animation: appear .2s; }
.details-own { display: grid; gap: 6px; }
.details-own :is(p, dt) { color: var(--rl-quiet); }
.details-own a { color: var(--rl-accent); }
.details-own dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 4px 16px; }
[part=picture] { max-inline-size: 100%; max-block-size: 240px; border-radius: 10px; }
/* Large letters on a small screen. */
[part=rows] { container-type: inline-size; }
@container (max-width: 17rem) {
  .row { display: flex; flex-wrap: wrap; column-gap: 12px; }
  .row > * { margin: 0 !important; }
  [part~=title], [part=subtitle], [data-parts~=prose] [part=detail], .row > [part=details] { flex: 1 0 100%; }
}
[part=more] {
  display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 4px; min-block-size: 68px;
  padding-inline: var(--rl-gutter); font-size: .875rem; color: var(--rl-quiet);
}
[part=more] button { min-block-size: 44px; padding-inline: 12px; color: var(--rl-accent); font-weight: 600; border-radius: 22px; }
[part=more] [aria-disabled] { color: inherit; font-weight: inherit; }
[part=more][data-state=loading]::before {
  content: ''; inline-size: 18px; block-size: 18px; border-radius: 50%;
  border: 2px solid var(--rl-line); border-block-start-color: var(--rl-accent); animation: turn .8s linear infinite;
}
@media (prefers-reduced-motion: reduce) { [part=more]::before { animation-duration: 2.4s !important; } }
@keyframes appear { from { opacity: 0; } }
[part=news] {
  position: absolute; inset: calc(100% + 8px) 0 auto; margin-inline: auto; inline-size: fit-content; min-block-size: 44px;
  padding-inline: 18px; border-radius: 22px; font-size: .9375rem; font-weight: 600; color: var(--rl-background);
  background: var(--rl-accent) !important; box-shadow: 0 6px 24px #0003; animation: appear .25s;
}
.floating + [part=news] { visibility: hidden; }
[part=error] {
  display: flex; flex-wrap: wrap; align-items: center; column-gap: 12px; margin: 0 var(--rl-gutter) 12px;
  padding-block: 8px; padding-inline: 16px 4px;
  border-radius: var(--rl-radius); background: color-mix(in srgb, var(--rl-danger) 9%, var(--rl-background));
}
[part=error] svg { inline-size: 22px; block-size: 22px; color: var(--rl-danger); }
[part=error] p { flex: 1 1 7rem; display: grid; font-size: .875rem; padding-block: 4px; min-inline-size: 0; }
[part=error] strong { font-weight: 600; color: var(--rl-danger); }
[part=error] span { text-wrap: balance; color: var(--rl-quiet); }
[part=error] [part=retry] { margin-inline-start: auto; }
[part=empty] {
  display: grid; justify-items: center; gap: 4px; padding: 18vh 32px 10vh; text-align: center; font-size: .9375rem;
}
[part=empty] svg {
  inline-size: 56px; block-size: 56px; stroke-width: 1.8; color: var(--rl-accent); opacity: .8;
  margin-block-end: 12px;
}
[part=empty] strong { font-size: 1.0625rem; font-weight: 600; }
[part=empty] span { color: var(--rl-quiet); }
@media (prefers-reduced-motion: reduce) { [part=news] { animation: none; } }
@media (forced-colors: active) {
  [part=badge], [part=error] { border: 1px solid; }
  .groups + *, .group + *, .row + * { border-block-start: 1px solid; }
  [part=more]::before { forced-color-adjust: none; }
  [part=news] { color: CanvasText; background: Canvas !important; }
}
`);
