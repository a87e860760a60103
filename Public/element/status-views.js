import { button, icon, make } from './make.js';
import { write } from './view.js';

/** @returns {any} */
const above = () => make('slot', { name: 'error' }, make('div', { part: 'error' },
  icon(24, 'M12 3a9 9 0 1 1-.01 0Z', 'M12 7.5v5.4m0 3.3v.1'),
  make('p', {}, make('strong', { 'data-field': 'title' }), make('span', { 'data-field': 'message' })),
  button('retry'), make('slot', { name: 'unknown' })));

/** @returns {any} */
const below = () => make('div', { part: 'empty' },
  icon(48, 'M16 7h16a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H16a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z', 'M17 17h14M17 24h14M17 31h8'),
  make('strong'), make('span'), button('retry'));

/** What stands above the rows where something failed, in their place where there are none, and at their end. */
export class StatusViews {
  #error = above();
  #empty = below();
  #absences = [make('slot', { name: 'empty' }), make('slot', { name: 'offline' })];
  #retry;
  /** The row at the end; it belongs to {@link import('../rows/load-more.js').LoadMore}. */
  more = make('div', { part: 'more' }, make('span'), make('button', { type: 'button' }));

  /** @param {import('./view.js').View} view @param {() => void} retried */
  constructor({ content, rows }, retried) {
    this.more.hidden = true;
    content.querySelector('slot').after(this.#error);
    rows.after(this.more, ...this.#absences);
    this.#retry = [this.#error, this.#empty].map((view) => view.querySelector('button'));
    for (const each of this.#retry) each.addEventListener('click', retried);
  }

  /** @param {import('../words/words.js').Words} words */
  name({ retry }) {
    for (const each of this.#retry) write(each, retry);
  }

  /**
   * @param {{title: string, message: string, isFinal?: boolean, isUnknown?: boolean} | null} fault with texts meant for people;
   *   null: there is none; final: another try would not help; unknown: there is no such list
   * @param {string} absence why there are no rows: the slot of the view that says it; '' where there are some
   * @param {string} title of that @param {string} hint what to do about it
   */
  paint(fault, absence, title, hint) {
    this.#error.hidden = !fault;
    this.#retry[0].hidden = Boolean(fault?.isFinal);
    this.#error.querySelector('[name=unknown]').hidden = !fault?.isUnknown;
    for (const view of fault ? this.#error.assignedElements({ flatten: true }) : []) {
      for (const said of view.querySelectorAll('[data-field]')) write(said, fault[said.dataset.field] ?? '');
    }
    for (const slot of this.#absences) {
      slot.hidden = slot.name !== absence;
      if (!slot.hidden && !slot.firstChild) slot.append(this.#empty);
    }
    this.#retry[1].hidden = absence !== 'offline';
    if (!absence) return;
    write(this.#empty.querySelector('strong'), title);
    write(this.#empty.querySelector('span'), hint);
  }
}
