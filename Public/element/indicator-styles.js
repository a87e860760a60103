import { sheet } from './styles.js';

/** How the indicator looks: the three kinds, in each phase. */
export const indicatorStyles = sheet(`
.indicator {
  display: flex; align-items: center; justify-content: center; gap: 12px; padding-inline: var(--rl-gutter);
  block-size: max(var(--rl-hold, 56px), 36px); color: var(--rl-quiet); will-change: transform;
}
.visible .indicator { visibility: visible; }
.indicator svg { inline-size: 26px; block-size: 26px; color: var(--rl-accent); }
.words {
  display: grid; line-height: 1.3; font-weight: 500; font-variant-numeric: tabular-nums;
  font-size: min(.9375rem, 5.4cqi, max(var(--rl-hold, 56px), 36px) * .42);
}
[data-state=waiting] .label::after, [data-state=primed] .label::after {
  content: attr(data-widest); display: block; block-size: 0; visibility: hidden;
}
.note { font-size: .8em; font-weight: 400; opacity: .85; }
.note:empty, .words:not(:has(:not(:empty))), [data-kind=simple] .words, [data-kind=circular] .label,
[data-kind=circular]:not([data-state=loading]) .words {
  display: none;
}
[data-kind=circular] svg { inline-size: 30px; block-size: 30px; stroke-width: 2.5; }
.floating .indicator {
  position: absolute; left: 50%; translate: -50%; transform: translateY(8px) !important;
  inline-size: max-content; max-inline-size: calc(100% - 32px); min-block-size: 44px; block-size: auto; padding: 4px 9px; border-radius: 22px;
  background: var(--rl-background); box-shadow: 0 0 0 1px var(--rl-line), 0 6px 24px #0003; animation: appear .2s;
}
.floating .words { margin-inline-end: 9px; }
.floating { transform: none !important; }
.track { opacity: .2; }
.arc {
  stroke-dasharray: calc(var(--pull-progress, 0) * 100px) 100px; transform: rotate(-90deg); transform-origin: center;
  opacity: min(1, var(--pull-progress, 0) * 20);
}
.arrow {
  opacity: var(--pull-progress, 0); transform-origin: center; transition: transform .22s cubic-bezier(.3,1.4,.6,1);
}
.mark { stroke-dasharray: 100; stroke-dashoffset: 100; visibility: hidden; }
[data-state=primed] .arrow { transform: rotate(180deg); }
[data-state=primed] .label { color: var(--rl-accent); }
.indicator:not([data-state=waiting], [data-state=primed]) .arrow, [data-kind=circular] .arrow { display: none; }
[data-state=loading]:not([data-measured]) .arc { stroke-dasharray: 28px 100px; }
[data-state=loading]:not([data-measured], [data-kind=simple]) svg { animation: turn .8s linear infinite; }
.indicator:not([data-state=waiting], [data-state=primed]) .arc { transition: .25s; }
[data-state=cancelled] .arc { stroke-dasharray: 0 100px; opacity: 0; }
[data-state=success] .good, [data-state=failure] .bad, [data-state=timeout] .bad {
  visibility: visible; animation: draw .28s .04s cubic-bezier(.4,0,.2,1) forwards;
}
:is([data-state=failure], [data-state=timeout]) :is(svg, .label) { color: var(--rl-danger); }
.spoke { opacity: .18; stroke-width: 2.2; }
${[...Array(12).keys()].map((i) => `
.spoke:nth-child(${i + 1}) {
  opacity: clamp(.18, calc((var(--pull-progress, 0) - ${i / 12}) * 12), 1); animation-delay: ${(i - 12) / 12}s !important;
}`).join('')}
[data-state=loading]:not([data-measured]) .spoke { animation: fade 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes draw { to { stroke-dashoffset: 0; } }
@keyframes fade { from { opacity: 1; } to { opacity: .18; } }

@media (forced-colors: active) { .floating .indicator { border: 1px solid; } }
@media (prefers-reduced-motion: reduce) {
  .mark, .floating .indicator { animation: none !important; }
  .mark { stroke-dashoffset: 0; }
  .arrow, .arc { transition: none !important; }
  [data-state=loading]:not([data-measured], [data-kind=simple]) svg {
    animation: fade 1s infinite alternate;
  }
}
`);
