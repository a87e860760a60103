/**
 * The element's looks. A sheet made by script needs no file of its own on somebody else's page, and is allowed by a
 * strict Content-Security-Policy.
 */
export const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host {
  --rl-accent: var(--refreshable-accent, light-dark(#0a7a5f, #4fd3ad));
  --rl-danger: var(--refreshable-danger, light-dark(#b3261e, #ffb1a8));
  --rl-warning: var(--refreshable-warning, light-dark(#8a5700, #f2c46d));
  --rl-background: var(--refreshable-background, Canvas);
  --rl-surface: var(--refreshable-surface, color-mix(in srgb, currentColor 4%, transparent));
  --rl-quiet: color-mix(in srgb, currentColor 64%, transparent);
  --rl-line: color-mix(in srgb, currentColor 11%, transparent);
  --rl-gutter: var(--refreshable-gutter, 16px);
  --rl-radius: var(--refreshable-radius, 16px);
  display: block; position: relative; line-height: 1.35; -webkit-tap-highlight-color: transparent; overflow-wrap: anywhere;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; }
svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
button { font: inherit; color: inherit; border: 0; background: none; cursor: pointer; touch-action: manipulation; }
button:focus-visible, a:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: 2px; }
h2:focus, li:focus { outline: none; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

[part=bar] { position: sticky; inset-block-start: 0; z-index: 2; }
.face {
  position: relative; z-index: 1; display: flex; align-items: center; gap: 4px;
  padding: calc(8px + var(--refreshable-inset-top, 0px)) calc(var(--rl-gutter) - 8px) 8px var(--rl-gutter); min-block-size: 64px;
  background: color-mix(in srgb, var(--rl-background) 86%, transparent);
  -webkit-backdrop-filter: saturate(1.6) blur(18px); backdrop-filter: saturate(1.6) blur(18px);
}
.about { flex: 1; min-inline-size: 0; order: 1; }
slot[name=start] { order: 0; }
[part=cancel] { order: 2; } [part=refresh] { order: 3; }
[part=heading] { font-size: 1.375rem; font-weight: 700; letter-spacing: -.021em; line-height: 1.2; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
[part=updated] { font-size: .8125rem; color: var(--rl-quiet); font-variant-numeric: tabular-nums; min-block-size: 1.35em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
:host([stale]) [part=updated] { color: var(--rl-warning); }
:host([stale]) [part=updated]::before { content: ''; display: inline-block; inline-size: .5em; block-size: .5em; border-radius: 50%; background: currentColor; margin-inline-end: .5em; vertical-align: .08em; }
[part=refresh] { inline-size: 44px; block-size: 44px; border-radius: 50%; display: grid; place-items: center; color: var(--rl-accent); transition: background .15s, opacity .15s; }
[part=refresh] svg { inline-size: 24px; block-size: 24px; }
[part=refresh]:disabled { color: var(--rl-quiet); opacity: .45; cursor: default; }
[part=cancel], [part=retry] { min-block-size: 44px; padding-inline: 12px; border-radius: 22px; color: var(--rl-accent); font-weight: 600; font-size: .9375rem; }
@media (hover: hover) { button:hover:enabled { background: color-mix(in srgb, var(--rl-accent) 12%, transparent); } }
button:active:enabled { background: color-mix(in srgb, var(--rl-accent) 20%, transparent); }

.gap { position: absolute; inset: 100% 0 auto; block-size: 260px; overflow: clip; pointer-events: none; }
.indicator { visibility: hidden; display: flex; align-items: center; justify-content: center; gap: 12px; block-size: max(var(--rl-hold, 56px), 36px); color: var(--rl-quiet); will-change: transform; }
.indicator[data-shown] { visibility: visible; }
.indicator svg { inline-size: 26px; block-size: 26px; color: var(--rl-accent); }
.words { display: grid; line-height: 1.3; font-size: .9375rem; font-weight: 500; font-variant-numeric: tabular-nums; }
.note { font-size: .75rem; font-weight: 400; opacity: .85; } .note:empty, .label:empty, .words:not(:has(:not(:empty))) { display: none; }
.indicator[data-kind=simple] .words, .indicator[data-kind=circular] .label, .indicator[data-tight] .note { display: none; }
.indicator[data-kind=circular] svg { inline-size: 30px; block-size: 30px; stroke-width: 2.5; }
.indicator[data-floating] {
  transform: translateY(8px) !important; inline-size: fit-content; margin-inline: auto; padding: 0 18px 0 14px; block-size: 44px; border-radius: 22px;
  background: var(--rl-background); box-shadow: 0 0 0 1px var(--rl-line), 0 6px 24px #0003; animation: appear .2s;
}
.track { opacity: .2; }
.arc { stroke-dasharray: calc(var(--pull-progress, 0) * 100) 100; transform: rotate(-90deg); transform-origin: center; opacity: min(1, var(--pull-progress, 0) * 20); }
.arrow { opacity: var(--pull-progress, 0); transform-origin: center; transition: transform .22s cubic-bezier(.3,1.4,.6,1); }
.mark { stroke-dasharray: 100; stroke-dashoffset: 100; visibility: hidden; }
[data-look=primed] .arrow { transform: rotate(180deg); }
[data-look=primed] .label { color: var(--rl-accent); }
[data-look=loading] .arrow, [data-look=good] .arrow, [data-look=bad] .arrow, [data-kind=circular] .arrow { display: none; }
[data-look=loading]:not([data-measured]) .arc { stroke-dasharray: 28 100; opacity: 1; }
[data-look=loading]:not([data-measured]):not([data-kind=simple]) svg { animation: turn .8s linear infinite; }
[data-look=loading][data-measured] .arc { transition: stroke-dasharray .25s; }
[data-look=good] .arc, [data-look=bad] .arc { stroke-dasharray: 100 100; opacity: 1; }
[data-look=good] .good, [data-look=bad] .bad { visibility: visible; animation: draw .28s .04s cubic-bezier(.4,0,.2,1) forwards; }
[data-look=bad] svg, [data-look=bad] .label { color: var(--rl-danger); }
.spoke { opacity: .18; stroke-width: 2.2; }
${Array.from({ length: 12 }, (_, i) => `.spoke:nth-child(${i + 1}) { opacity: clamp(.18, calc((var(--pull-progress, 0) - ${i / 12}) * 12), 1); animation-delay: ${(i - 12) / 12}s !important; }`).join('\n')}
[data-look=loading]:not([data-measured]) .spoke { animation: fade 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes draw { to { stroke-dashoffset: 0; } }
@keyframes fade { from { opacity: 1; } to { opacity: .18; } }
@keyframes appear { from { opacity: 0; } }

[part=content] { padding-block-end: calc(24px + env(safe-area-inset-bottom, 0px)); }
[part=rows] { list-style: none; padding: 0; margin-inline: var(--rl-gutter); background: var(--rl-surface); border-radius: var(--rl-radius); overflow: clip; }
[part=row] {
  position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr) auto auto; row-gap: 2px; align-items: baseline; align-content: center;
  min-block-size: 56px; padding: 10px 16px; content-visibility: auto; contain-intrinsic-size: auto 57px;
}
[part=row] + [part=row]::before { content: ''; position: absolute; inset: 0 0 auto 16px; border-block-start: 1px solid var(--rl-line); }
[part=image] { grid-column: 1; grid-row: 1 / span 2; align-self: center; inline-size: 40px; block-size: 40px; margin-inline-end: 12px; border-radius: 10px; object-fit: cover; background: var(--rl-line); }
[part~=title] { grid-column: 2; font-weight: 500; color: inherit; text-decoration: none; text-align: start; letter-spacing: -.006em; }
a[part~=title]::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible { outline: none; } a[part~=title]:focus-visible::after { outline: 2px solid var(--rl-accent); outline-offset: -3px; border-radius: 12px; }
@media (hover: hover) { [part=row]:has(a:hover) { background: color-mix(in srgb, var(--rl-accent) 7%, transparent); } }
[part=row]:not(:has([part=badge], [part=detail])):has([part=subtitle]) [part~=title] { grid-column: 2 / -1; }
[part=subtitle] { grid-column: 2; grid-row: 2; font-size: .8125rem; color: var(--rl-quiet); text-align: start; }
[part=badge], [part=detail], [part=time] { margin-inline-start: 12px; }
[part=badge] { grid-column: 3; grid-row: 1; justify-self: end; font-size: .75rem; font-weight: 600; line-height: 1.25rem; padding-inline: 8px; border-radius: 10px; color: var(--rl-accent); background: color-mix(in srgb, var(--rl-accent) 13%, transparent); font-variant-numeric: tabular-nums; }
[part=detail] { grid-column: 4; grid-row: 1; justify-self: end; font-size: .875rem; color: var(--rl-quiet); font-variant-numeric: tabular-nums; }
[part=time] { grid-column: 3 / span 2; grid-row: 2; justify-self: end; font-size: .8125rem; color: var(--rl-quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
[part=row]:not(:has([part=subtitle])):not(:has([part=detail], [part=badge])) [part=time] { grid-row: 1; }

[part=error] { display: flex; align-items: center; gap: 12px; margin: 0 var(--rl-gutter) 12px; padding: 8px 4px 8px 16px; border-radius: var(--rl-radius); background: color-mix(in srgb, var(--rl-danger) 9%, var(--rl-background)); }
[part=error] svg { inline-size: 22px; block-size: 22px; color: var(--rl-danger); }
[part=error] p { flex: 1; display: grid; font-size: .875rem; padding-block: 4px; min-inline-size: 0; } [part=error] strong { font-weight: 600; color: var(--rl-danger); }
[part=error] span { color: var(--rl-quiet); }
[part=skeleton] { margin-inline: var(--rl-gutter); background: var(--rl-surface); border-radius: var(--rl-radius); animation: breathe 1.6s ease-in-out infinite alternate; }
[part=skeleton] div { display: grid; gap: 9px; align-content: center; block-size: 65px; padding-inline: 16px; }
[part=skeleton] div:nth-child(n) { opacity: calc(1 - .13 * var(--i, 0)); }
${Array.from({ length: 7 }, (_, i) => `[part=skeleton] div:nth-child(${i + 1}) { --i: ${i}; } [part=skeleton] div:nth-child(${i + 1}) i { inline-size: ${[62, 44, 71, 53, 66, 48, 58][i]}%; }`).join('\n')}
[part=skeleton] i { block-size: 12px; border-radius: 6px; background: var(--rl-line); } [part=skeleton] i + i { inline-size: 28% !important; block-size: 10px; }
@keyframes breathe { to { opacity: .45; } }
[part=rows]:not(:empty) ~ [part=skeleton] { margin-block-start: 12px; } [part=rows]:not(:empty) ~ [part=skeleton] div:nth-child(n + 3) { display: none; }
[part=empty] { display: grid; justify-items: center; gap: 4px; padding: 18vh 32px 10vh; text-align: center; color: var(--rl-quiet); font-size: .9375rem; }
[part=empty] svg { inline-size: 56px; block-size: 56px; stroke-width: 1.8; color: var(--rl-accent); opacity: .8; margin-block-end: 12px; } [part=empty] strong { font-size: 1.0625rem; font-weight: 600; color: color-mix(in srgb, currentColor 100%, transparent); }

.foot { position: sticky; inset-block-end: calc(16px + env(safe-area-inset-bottom, 0px)); block-size: 0; display: grid; justify-items: center; align-items: end; z-index: 3; pointer-events: none; }
[part=banner] { padding: 9px 16px; border-radius: 20px; font-size: .875rem; font-weight: 500; background: light-dark(#22231f, #eceae4); color: light-dark(#fff, #16170f); box-shadow: 0 6px 24px #0004; animation: appear .25s; }
@media (prefers-reduced-motion: reduce) {
  [part=skeleton], .mark, .indicator[data-floating], [part=banner] { animation: none !important; } .mark { stroke-dashoffset: 0; } .arrow, [part=refresh] { transition: none; }
  [data-look=loading]:not([data-measured]):not([data-kind=simple]) svg { animation-duration: 2.4s; animation-timing-function: steps(8); }
}
@media (forced-colors: active) { [part=badge], [part=banner], [part=error] { border: 1px solid; } .face { background: Canvas; } }
`);
