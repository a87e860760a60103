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
  #label;
  #note;
  #slot;
  #kind = '';
  /** What was painted last: each frame of a pull writes only what it changes. */ #last = {};

  /** @param {HTMLElement} box which holds the slot, the glyph and the words */
  constructor(box) {
    this.#box = box;
    this.#label = box.querySelector('.label');
    this.#note = box.querySelector('.note');
    this.#slot = box.querySelector('slot');
    box.getRootNode().adoptedStyleSheets.push(indicatorStyles);
  }

  /** @param {string} kind of the list's configuration; unknown ones look like the default */
  set kind(kind) {
    const known = kind in picture ? kind : 'default';
    if (known === this.#kind) return;
    this.#kind = this.#box.dataset.kind = known;
    // A constant of this module, never anything from a list.
    this.#box.querySelector('svg').innerHTML = picture[known];
  }

  /**
   * @param {{look: string, progress: number, share: number | null, label: string, note: string}} shown
   *   look: waiting, primed, loading, good or bad · progress: of the pull, 0…1 · share: of the work, null: unknown
   */
  paint({ look, progress, share, label, note }) {
    const isMeasured = look === 'loading' && share !== null;
    const value = (isMeasured ? share : progress).toFixed(3);
    const last = this.#last;
    const isNew = look !== last.look || isMeasured !== last.isMeasured;
    this.#last = { look, isMeasured, value, label, note };
    if (isNew) this.#box.dataset.look = look;
    if (isNew) this.#box.toggleAttribute('data-measured', isMeasured);
    for (const custom of this.#slot.assignedElements()) {
      if (custom.getAttribute('phase') !== look) custom.setAttribute('phase', look);
      if (value !== last.value) custom.style.setProperty('--pull-progress', value);
    }
    if (value !== last.value) this.#box.style.setProperty('--pull-progress', value);
    if (label !== last.label) this.#label.textContent = label;
    if (note !== last.note) this.#note.textContent = note;
  }
}
