import { make } from './make.js';
import { sheet } from './styles.js';

/**
 * The indicator of a refresh: it fills during a pull, turns while the list loads, and shows the outcome. Three looks,
 * `default`, `simple` and `circular`, drawn here; a page's own goes into the slot `indicator`.
 */
const ring = { cx: 12, cy: 12, r: 9.5 };
const dial = () => [
  make('circle', { class: 'track', ...ring }),
  make('circle', { class: 'arc', ...ring, pathLength: 100 }),
  make('path', { class: 'arrow', d: 'M12 7.5v9m-3.5-3.5 3.5 3.5 3.5-3.5' }),
  make('path', { class: 'mark good', d: 'm8 12.3 2.8 2.8L16 9.6', pathLength: 100 }),
  make('path', { class: 'mark bad', d: 'M12 7.6v5.2m0 3.4v.1', pathLength: 100 }),
];
const spokes = () => Array.from({ length: 12 }, (_, i) =>
  make('path', { class: 'spoke', d: 'M12 3v4.2', transform: `rotate(${i * 30} 12 12)` }));
const picture = { default: dial, circular: dial, simple: spokes };

export class Indicator {
  #box;
  /** @type {Text} */ #text;
  #note;
  #slot;
  #kind = '';
  /**
   * What was painted last: only what is new is written.
   * @type {Record<string, any>}
   */
  #last = {};
  #value = '';
  /** The page's own, in the slot. @type {Element[]} */
  #customs = [];

  /** @param {HTMLElement} box which holds the slot, the glyph and the words */
  constructor(box) {
    this.#box = box;
    this.#text = box.querySelector('.label').appendChild(new Text());
    this.#note = box.querySelector('.note');
    this.#slot = box.querySelector('slot');
    this.#slot.addEventListener('slotchange', () => this.#tell(this.#last));
    box.getRootNode().adoptedStyleSheets.push(indicatorStyles);
  }

  /** @param {string} kind unknown ones look like the default */
  set kind(kind) {
    const known = kind in picture ? kind : 'default';
    if (known === this.#kind) return;
    this.#kind = this.#box.dataset.kind = known;
    this.#box.querySelector('svg').replaceChildren(...picture[known]());
  }

  /**
   * @param {{phase: string, outcome: string, progress: number | null, share: number | null, label: string,
   *   widest: () => string, note: string}} shown progress: of the pull, 0…1, null: as far as it was · share: of the work, null:
   *   unknown · widest: of the labels to come
   */
  paint({ phase, outcome, progress, share, label, widest, note }) {
    const isMeasured = phase === 'loading' && share !== null;
    const state = phase === 'closing' ? outcome : phase;
    const last = this.#last;
    const isNew = state !== last.state || isMeasured !== last.isMeasured;
    this.#last = { phase, state, isMeasured, label, note };
    if (isNew) this.#box.dataset.state = state;
    if (isMeasured !== last.isMeasured) this.#box.toggleAttribute('data-measured', isMeasured);
    const wasPulled = last.phase === 'waiting' || last.phase === 'primed';
    if (progress !== null || !wasPulled) this.fill((isMeasured ? share : progress) ?? 0);
    if (isNew) this.#tell(this.#last);
    if (label !== last.label) {
      // Changed, never replaced, and no wider while one pulls: nothing is matched anew in the frame that primes.
      this.#text.data = label;
      if (!isNew || !wasPulled) this.#text.parentElement.dataset.widest = widest();
    }
    if (note !== last.note) this.#note.textContent = note;
  }

  /** All that a frame of a pull needs. @param {number} share 0…1 */
  fill(share) {
    const value = share.toFixed(2);
    if (value === this.#value) return;
    this.#value = value;
    this.#box.style.setProperty('--pull-progress', value);
    for (const custom of this.#customs) {
      custom.style.setProperty('--pull-progress', value);
      if (custom.hasAttribute('progress')) custom.setAttribute('progress', value);
    }
  }

  /**
   * A page's own indicator hears by attributes; what lasts nobody knows how long has no progress.
   * @param {Record<string, any>} painted
   */
  #tell({ phase, state, isMeasured }) {
    this.#customs = this.#slot.assignedElements();
    const told = { phase, outcome: phase === 'closing' && state, progress: (phase !== 'loading' || isMeasured) && this.#value };
    for (const custom of phase ? this.#customs : []) {
      custom.style.setProperty('--pull-progress', this.#value);
      for (const [name, text] of Object.entries(told)) {
        if (text) custom.setAttribute(name, text);
        else custom.removeAttribute(name);
      }
    }
  }
}

/** The indicator's text in each phase: of the element's attributes, else the list's settings, else the language. */
export class IndicatorTexts {
  #host;
  #list;

  /** @param {HTMLElement} host @param {import('./list-renderer.js').ListContext} list */
  constructor(host, list) {
    this.#host = host;
    this.#list = list;
  }

  of(phase) {
    return this.own(phase) ?? this.#list.words[phase];
  }

  /** Of the texts that a finger goes to and fro between: the arrow stays where it is while they change. */
  get widest() {
    const [waiting, primed] = [this.of('waiting'), this.of('primed')];
    return waiting.length > primed.length ? waiting : primed;
  }

  /** The texts of the element or the list, instead of ours. */
  own(phase) {
    return this.#host.getAttribute(`text-${phase}`) ?? this.#list.watch?.about?.pull?.texts?.[phase];
  }
}

/** How the indicator looks: the three kinds, in each phase. */
const indicatorStyles = sheet(`
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
.note { font-size: .8em; font-weight: 400; }
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
