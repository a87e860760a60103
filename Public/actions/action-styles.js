import { sheet } from '../element/styles.js';

/** What a row's swipe reveals: it stands in the row, which may be a page's own. */
export const swipeStyles = sheet(`
:host {
  position: absolute !important; inset-block: 0 !important; inset-inline: 100% auto !important; inline-size: 100% !important;
  max-inline-size: none !important; margin: 0 !important; padding: 0 !important;
}
.actions { display: flex; flex-direction: row-reverse; justify-content: flex-end; block-size: 100%; }
button {
  flex: none; display: flex; align-items: center; padding: 0; border: 0; font: inherit; font-size: min(.875rem, 20px); font-weight: 600; line-height: 1.2;
  color: var(--rl-background); background: light-dark(#555c58, #b9c2bd); cursor: pointer; touch-action: manipulation;
}
button:first-child { flex: 1; background: var(--rl-accent); }
button:nth-child(2) { background: color-mix(in srgb, var(--rl-accent) 55%, light-dark(#555c58, #b9c2bd)); }
button[data-destructive] { background: var(--rl-danger); }
button:focus-visible { outline: 2px solid; outline-offset: -4px; }
span { box-sizing: border-box; min-inline-size: 76px; max-inline-size: 112px; padding-inline: 12px; text-align: center; overflow-wrap: anywhere; }
.full button:not(:first-child) { display: none; }
@media (forced-colors: active) { button { border: 1px solid; color: ButtonText; background: ButtonFace; } }
`);

/** The menu and its buttons, the toast, and rows while something is done to them. */
export const actionStyles = sheet(`
[data-acts] .row > [part=disclosure] { inset-inline-end: 44px; }
.row > [part=actions] {
  position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: 44px; min-block-size: 44px; display: grid; place-items: center; margin: 0;
  color: var(--rl-quiet); border-radius: 12px;
}
[part=actions]::after {
  content: ''; inline-size: 24px; block-size: 4px; background: radial-gradient(circle closest-side, currentColor 90%, #0000) 0 0 / 8px 4px;
}
.row > [part=actions]:focus-visible { outline-offset: -4px; }
[data-open] > [part=actions] { inset-block: 0 auto; block-size: 44px; }
[part=menu] {
  position: fixed; inset: auto; margin: 0; z-index: 4; min-inline-size: 180px; max-inline-size: min(320px, 100vw - 16px); max-block-size: calc(100vh - 16px);
  overflow-y: auto; padding: 6px; border: 1px solid var(--rl-line); border-radius: 14px; color: inherit; background: var(--rl-background);
  box-shadow: 0 8px 32px #0004; animation: appear .12s;
}
[part=menu] button { display: block; inline-size: 100%; min-block-size: 44px; padding-inline: 14px; border-radius: 9px; text-align: start; font-size: .9375rem; }
[part=menu] button:focus-visible { outline-offset: -2px; }
[part=menu] [data-destructive] { color: var(--rl-danger); }
.toasts { position: sticky; inset-block-end: 0; z-index: 3; block-size: 0; margin-block-start: auto; pointer-events: none; }
[part=toast] {
  position: absolute; inset-block-end: calc(16px + env(safe-area-inset-bottom, 0px)); inset-inline: 16px; margin-inline: auto; inline-size: fit-content;
  max-inline-size: min(100% - 32px, 480px); display: flex; flex-wrap: wrap; align-items: center; column-gap: 8px; min-block-size: 48px; padding-inline: 18px 6px;
  border-radius: 24px; background: currentColor; box-shadow: 0 6px 24px #0003; font-size: .9375rem;
  opacity: 0; translate: 0 12px; transition: opacity .2s, translate .2s;
}
[part=toast].shown { opacity: 1; translate: none; pointer-events: auto; }
[part=toast] > * { color: var(--rl-background); }
[part=toast] p {
  flex: 1 1 8rem; margin-block: 10px; padding-inline-end: 12px; overflow: hidden;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; line-clamp: 4;
}
[part=undo] { min-block-size: 44px; padding-inline: 14px; border-radius: 22px; font-weight: 700; text-decoration: underline; text-underline-offset: 3px; margin-inline-start: auto; }
[part=undo]:focus-visible { outline-color: var(--rl-background); outline-offset: -4px; }
.row[aria-busy]::before {
  content: ''; position: absolute; inset-block-end: 0; inset-inline: 16px; block-size: 2px; border-radius: 1px; background: var(--rl-accent);
  transform: scaleX(var(--rl-done, 1)); transform-origin: 0; transition: transform .2s;
}
.row[aria-busy]:dir(rtl)::before { transform-origin: 100%; }
.row[aria-busy]:not([style*=rl-done])::before { animation: breathe 1s ease-in-out infinite alternate; }
.row > [part=note] { grid-column: 1 / -1; font-size: .8125rem; color: var(--rl-quiet); }
@media (prefers-reduced-motion: reduce) {
  [part=menu], .row[aria-busy]::before { animation: none !important; }
  [part=toast] { transition: none; translate: none; }
}
@media (forced-colors: active) {
  [part=toast] { border: 1px solid; background: Canvas; }
  [part=toast] > * { color: CanvasText; }
  .row[aria-busy]::before { background: CanvasText; }
  [part=actions]::after { forced-color-adjust: none; }
}
`);
