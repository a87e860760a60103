import { icon, write } from './view.js';

const alarm = icon(24, '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.4m0 3.3v.1"/>');
const paper = icon(48, '<rect x="9" y="7" width="30" height="34" rx="7"/><path d="M17 17h14M17 24h14M17 31h8"/>');
const above = `<slot name="error"><div part="error">
  ${alarm}<p><strong data-field="title"></strong><span data-field="message"></span></p><button part="retry" type="button"></button>
</div></slot>`;
const below = `<div part="more" hidden><span></span><button type="button"></button></div>
<slot name="empty"><div part="empty">${paper}<strong></strong><span></span></div></slot><slot name="offline"></slot>`;
const banner = '<div class="banner-position"><p part="banner" hidden></p></div>';

/** What stands above the rows where something failed, in their place where there are none, and at their end. */
export class StatusViews {
  #error;
  #empty;
  #absences;
  #banner;
  /** The row at the end; it belongs to {@link import('../rows/load-more.js').LoadMore}. */ more;

  /** @param {import('./view.js').View} view @param {() => void} retried */
  constructor({ content, rows }, retried) {
    content.querySelector('slot').insertAdjacentHTML('afterend', above);
    rows.insertAdjacentHTML('afterend', below);
    content.insertAdjacentHTML('afterend', banner);
    this.#banner = content.nextElementSibling.firstElementChild;
    this.#error = content.querySelector('[name=error]');
    this.#empty = content.querySelector('[part=empty]');
    this.#absences = content.querySelectorAll('[name=empty], [name=offline]');
    this.more = content.querySelector('[part=more]');
    this.#error.querySelector('button').addEventListener('click', retried);
  }

  /** @param {import('../words/words.js').Words} words */
  name({ retry }) {
    write(this.#error.querySelector('button'), retry);
  }

  /** At the foot of the view. @param {string} text '' for none */
  say(text) {
    this.#banner.hidden = !text;
    write(this.#banner, text);
  }

  /**
   * @param {{title: string, message: string} | null} fault with texts meant for people; null: there is none
   * @param {string} absence why there are no rows: the slot of the view that says it; '' where there are some
   * @param {string} title of that @param {string} hint what to do about it
   */
  paint(fault, absence, title, hint) {
    this.#error.hidden = !fault;
    for (const view of fault ? this.#error.assignedElements({ flatten: true }) : []) {
      for (const said of view.querySelectorAll('[data-field]')) write(said, fault[said.dataset.field] ?? '');
    }
    for (const slot of this.#absences) {
      slot.hidden = slot.name !== absence;
      if (!slot.hidden && !slot.firstChild) slot.append(this.#empty);
    }
    if (!absence) return;
    write(this.#empty.querySelector('strong'), title);
    write(this.#empty.querySelector('span'), hint);
  }
}
