import { indicatorStyles } from './indicator-styles.js';

/**
 * What is seen of a refresh: it fills while one pulls, turns while the list loads, and says how it went. Three looks,
 * `default`, `simple` and `circular`, drawn here; a page's own goes into the slot `indicator`.
 */
const picture = {
  default: `
    <circle class="track" cx="12" cy="12" r="9.5"/><circle class="arc" cx="12" cy="12" r="9.5" pathLength="100"/>
    <path class="arrow" d="M12 7.5v9m-3.5-3.5 3.5 3.5 3.5-3.5"/>
    <path class="mark good" d="m8 12.3 2.8 2.8L16 9.6" pathLength="100"/>
    <path class="mark bad" d="M12 7.6v5.2m0 3.4v.1" pathLength="100"/>`,
  simple: [...Array(12).keys()]
    .map((i) => `<path class="spoke" d="M12 3v4.2" transform="rotate(${i * 30} 12 12)"/>`)
    .join(''),
};
picture.circular = picture.default;

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
    // A constant of this module, never anything from a list.
    this.#box.querySelector('svg').innerHTML = picture[known];
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
