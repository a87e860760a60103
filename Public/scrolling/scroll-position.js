import { make } from '../element/make.js';
import { sheet } from '../element/styles.js';
import { write } from '../element/view.js';
import { scrollTarget } from '../gesture/scroller.js';
import { days } from '../words/days.js';
import { milliseconds } from '../words/time.js';
import { rowsBefore } from '../rows/row-groups.js';

/** A list is long if it is so many screens high. */
const screens = 8;
/** Faster than this is a fling, px/ms, if so many scroll events in a row are. */
const fast = 2, inRow = 3;
/** Events further apart are not of one scroll. Milliseconds. */
const apart = 150;
/** It is shown for so long after the last of a fling. Milliseconds. */
const lasting = 600;
/** Between two looks, each in a task of its own after a frame: in the midst of one, to look would lay it out early. Milliseconds. */
const between = 100;
/** What keys and clicks scroll to is where a person wanted to be. Milliseconds. */
const asked = 1000;
/** The row that it tells of is so far below the bar, behind a heading. px */
const below = 64;
/** Its own height, and what is left free above and below. px */
const height = 48, margin = 12;

const styles = sheet(`
[part=position] {
  position: absolute; inset-block-start: calc(100% + ${margin}px); inset-inline-end: 16px; max-inline-size: min(60%, 18rem); block-size: ${height}px;
  display: grid; align-content: center; padding-inline: 16px; border-radius: 24px; pointer-events: none; opacity: 0; visibility: hidden;
  background: color-mix(in srgb, CanvasText 10%, var(--rl-background)); box-shadow: 0 4px 16px #0003; font-size: .8125rem; font-variant-numeric: tabular-nums;
  transition: opacity .2s, visibility 0s .2s;
}
[part=position].shown { opacity: 1; visibility: visible; transition: opacity .1s; }
[part=position] > * { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; }
[part=position] > :first-child { font-weight: 600; font-size: .9375rem; }
[part=position] > :first-child:empty { display: none; }
[part=position] > :last-child { color: var(--rl-quiet); }
@media (prefers-reduced-motion: reduce) { [part=position] { transition: none !important; } }
@media (forced-colors: active) { [part=position] { border: 1px solid; } }
`);

/**
 * Says where a person is while they fling through a long list: a bubble beside the scroll bar with the section, or the row's
 * day or title, and the row's number. It looks a few times a second, by one hit test.
 */
export class ScrollPosition {
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** That are shown. @type {import('../connection/replica.js').Row[]} */ #rows = [];
  /** Has them, of a list that is not here as a whole. @type {import('./virtualizer.js').Virtualizer | null} */ #virtualizer = null;
  #label = make('span');
  #number = make('span');
  #bubble = make('div', { part: 'position', 'aria-hidden': 'true' }, this.#label, this.#number);
  /** @type {Element | null} */ #scroller = null;
  /** Of the last scroll event: where the list was, when, and how many in a row were fast. */
  #last = { top: 0, time: 0, count: 0 };
  /** Of the next look. */ #look = 0;
  /** Till it goes; 0: it is not shown. */ #timer = 0;
  #askedAt = -Infinity;
  /** @type {[object, (time: number) => string] | null} */ #days = null;

  /**
   * @param {HTMLElement} host
   * @param {import('../element/view.js').View} view
   * @param {import('../element/list-renderer.js').ListContext} list
   */
  constructor(host, view, list) {
    this.#view = view;
    this.#list = list;
    host.shadowRoot.adoptedStyleSheets.push(styles);
    view.bar.append(this.#bubble);
  }

  /**
   * Follows what scrolls the list.
   * @param {Element | null} scroller null: the list is not long any more, or no longer shown
   * @param {import('../connection/replica.js').Row[]} rows as they are drawn
   * @param {import('./virtualizer.js').Virtualizer | null} virtualizer
   */
  follow(scroller, rows, virtualizer) {
    this.#rows = rows;
    this.#virtualizer = virtualizer;
    if (scroller === this.#scroller) return;
    if (this.#scroller) scrollTarget(this.#scroller).removeEventListener('scroll', this.#scrolled);
    for (const type of ['keydown', 'click']) document.removeEventListener(type, this.#asked, { capture: true });
    this.#scroller = scroller;
    this.#hide();
    if (!scroller) return;
    scrollTarget(scroller).addEventListener('scroll', this.#scrolled, { passive: true });
    for (const type of ['keydown', 'click']) document.addEventListener(type, this.#asked, { capture: true, passive: true });
  }

  #asked = ({ timeStamp }) => {
    this.#askedAt = timeStamp;
  };

  /** @param {Event} event */
  #scrolled = ({ timeStamp: time }) => {
    const top = this.#scroller.scrollTop;
    const { top: before, time: earlier, count } = this.#last;
    const wait = time - earlier;
    const isFast = wait < apart && Math.abs(top - before) > fast * wait;
    this.#last = { top, time, count: isFast ? count + 1 : 0 };
    if (isFast && count + 1 >= inRow && time - this.#askedAt > asked) this.#show();
    else if (this.#timer) this.#lookLater();
  };

  #show() {
    if (!this.#timer && this.#scroller.scrollHeight < screens * this.#scroller.clientHeight) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), lasting);
    this.#lookLater();
  }

  #lookLater() {
    this.#look ||= setTimeout(() => this.#draw(), between);
  }

  #hide() {
    clearTimeout(this.#timer);
    clearTimeout(this.#look);
    this.#timer = this.#look = 0;
    this.#bubble.classList.remove('shown');
  }

  #draw() {
    this.#look = 0;
    const bar = this.#view.bar.getBoundingClientRect();
    const root = /** @type {Document | ShadowRoot} */ (this.#view.rows.getRootNode());
    const isAsked = !this.#virtualizer || this.#view.rows.role === 'group';
    const hit = isAsked ? root.elementFromPoint(bar.left + bar.width / 2, bar.bottom + below) : null;
    const { first, total } = this.#virtualizer?.part ?? { first: 0, total: this.#rows.length };
    const at = this.#virtualizer ? this.#virtualizer.indexAt(bar.bottom + below) : this.#place(hit, bar.bottom + below, total);
    if (at === null) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const way = clientHeight - bar.height - height - 2 * margin;
    write(this.#label, this.#tell(hit, this.#rows[at - first]));
    write(this.#number, this.#list.words.share(at + 1, total));
    this.#bubble.style.transform = `translateY(${Math.round((scrollTop / (scrollHeight - clientHeight)) * way)}px)`;
    this.#bubble.classList.add('shown');
  }

  /** The place of the row at a point; of what is not drawn yet, by its share of the height. @returns {number | null} */
  #place(hit, y, count) {
    const part = hit?.closest('[data-key], .group, .groups, .section');
    if (!part || !this.#view.rows.contains(part)) return null;
    const { before, within } = rowsBefore(this.#view.rows, part);
    const { top, height: extent } = part.getBoundingClientRect();
    const share = Math.floor(within * Math.min(1, Math.max(0, (y - top) / (extent || 1))));
    return Math.min(count - 1, before + Math.min(share, Math.max(0, within - 1)));
  }

  /** The section of a row, its day, or how its title begins; nothing where it is yet to come. */
  #tell(hit, row) {
    if (!row) return '';
    const { key, fields } = row;
    const section = hit?.closest('.section');
    if (section) return section.firstElementChild.textContent;
    const time = milliseconds(fields.time);
    const { words } = this.#list;
    if (this.#days?.[0] !== words) this.#days = [words, days(words.locale)];
    return time === null ? `${fields.title ?? key}` : this.#days[1](time);
  }
}
