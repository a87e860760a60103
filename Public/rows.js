import { Anchor } from './anchor.js';
import { measure, place, rowsOf, take } from './groups.js';
import { isCalm } from './motion.js';
import { draw, tell } from './row.js';
import { rowStyles } from './row-styles.js';

/** More changes than this, or rows, and nothing is animated: it could not be followed by eye. */
const followable = { changes: 30, rows: 400 };
const glide = { duration: 260, easing: 'cubic-bezier(.2,.8,.2,1)' };
/** Many rows are worked off in slices of so many ms, each of at least so many rows. */
const slice = { time: 4, rows: 24 };

/**
 * The rows on the screen, kept in step with a list by key: what stays is moved and mended, never made anew, so that
 * focus, selection and pictures live on.
 *
 * @typedef {object} Rendering
 * @property {import('./replica.js').Row[]} rows in order
 * @property {boolean} isAnimated whether people should see what became of each
 * @property {Element | null} scroller keeps what is in view where it is; null: new rows may push it down
 */
export class Rows {
  #view;
  #list;
  #reader;
  /** @type {Map<string, {item: HTMLLIElement, fields: object}>} */ #drawn = new Map();
  /** What is left to do of a rendering. @type {Iterator<void> | null} */ #work = null;
  /** @type {Element | null} */ #scroller = null;
  /** @type {Rendering | null} */ #next = null;
  #timer = 0;
  /** New rows above what is in view, of which nobody has heard. */ #missed = 0;
  /** @type {HTMLLIElement[]} rows that the slice under way made */ #fresh = [];
  /** @type {Set<HTMLLIElement>} rows that it put elsewhere */ #moved = new Set();

  /**
   * @param {import('./view.js').View} view
   * @param {{isBusy: () => boolean, missed: (count: number) => void, words: object}} reader is asked whether rows must
   *   stay, and hears of new ones above what is in view; its words are those of words.js
   */
  constructor(view, reader) {
    this.#view = view;
    this.#list = view.rows;
    this.#reader = reader;
    this.#list.getRootNode().adoptedStyleSheets.push(rowStyles);
  }

  /** Shows a list's rows as they are now: at once where little is new, else bit by bit. @param {Rendering} rendering */
  render(rendering) {
    this.#next = rendering;
    if (!this.#timer) this.#go();
  }

  /** Brings the relative times in view up to date. */
  tick() {
    for (const group of this.#list.children) {
      if (group.checkVisibility?.({ contentVisibilityAuto: true }) === false) continue;
      for (const time of group.querySelectorAll('time')) tell(time, this.#reader.words);
    }
  }

  /** Works until its time is over; between slices the page draws, scrolls and hears fingers. */
  #go() {
    this.#timer = 0;
    if (this.#reader.isBusy()) return this.#later(100);
    if (this.#work) this.#slice(slice.time);
    else this.#begin();
    this.#list.ariaBusy = this.#work && 'true';
    if (this.#work || this.#next) return this.#later(0);
    measure(this.#list);
    this.#reader.missed(this.#missed);
    this.#missed = 0;
  }

  #later(delay) {
    this.#timer = setTimeout(() => this.#go(), delay);
  }

  #begin() {
    const { rows, isAnimated, scroller } = this.#next;
    this.#next = null;
    this.#scroller = scroller;
    this.#work = this.#reconcile(rows);
    const isLong = rows.length > followable.rows || this.#drawn.size > followable.rows;
    this.#list.toggleAttribute('data-long', isLong);
    if (isLong || this.#changes(rows) > followable.changes) return this.#slice(slice.time);
    const before = isAnimated && !isCalm() ? this.#places() : null;
    this.#slice(Infinity);
    if (before) this.#animate(before);
  }

  #changes(rows) {
    const changed = rows.filter(({ key, fields }) => this.#drawn.get(key)?.fields !== fields).length;
    return changed + Math.max(0, this.#drawn.size - rows.length);
  }

  #slice(limit) {
    const anchor = this.#scroller && new Anchor(this.#view, this.#scroller);
    const focused = this.#focused;
    this.#fresh = [];
    this.#moved.clear();
    this.#advance(document.hidden ? Infinity : performance.now() + limit);
    if (focused?.isConnected && focused !== this.#focused) focused.focus({ preventScroll: true });
    const held = anchor?.hold(this.#moved);
    if (held) this.#missed += this.#fresh.filter((item) => isBefore(item, held)).length;
  }

  #advance(end) {
    for (let count = 1; ; count += 1) {
      if (this.#work.next().done) return (this.#work = null);
      if ((count < 8 || count % slice.rows === 0) && performance.now() > end) return;
    }
  }

  /** A step for each row, and for what takes long because there are many. */
  *#reconcile(rows) {
    const keys = new Set(rows.map(({ key }) => key));
    yield;
    for (const key of this.#drawn.keys()) {
      if (keys.has(key)) continue;
      this.#remove(key, keys);
      yield;
    }
    const stays = yield* this.#staying(rows);
    let previous = null;
    for (const [i, row] of rows.entries()) {
      const item = this.#draw(row);
      if (!stays.has(i)) {
        place(this.#list, item, previous);
        this.#moved.add(item);
      }
      previous = item;
      yield;
    }
  }

  /** The fewest moves: rows on the longest rising run stay where they are. */
  *#staying(rows) {
    const index = new Map();
    for (const item of rowsOf(this.#list)) index.set(item, index.size);
    yield;
    const order = rows.map(({ key }) => index.get(this.#drawn.get(key)?.item) ?? -1);
    yield;
    return rising(order);
  }

  /** @returns {HTMLLIElement} */
  #draw(row) {
    const drawn = this.#drawn.get(row.key);
    if (drawn?.fields === row.fields) return drawn.item;
    const item = drawn?.item ?? made();
    if (!drawn) this.#fresh.push(item);
    draw(item, row, this.#reader.words);
    this.#drawn.set(row.key, { item, fields: row.fields });
    return item;
  }

  #remove(key, staying) {
    const { item } = this.#drawn.get(key);
    this.#drawn.delete(key);
    if (item.contains(this.#focused)) this.#passFocus(item, staying);
    take(item);
  }

  get #focused() {
    const active = this.#list.getRootNode().activeElement;
    return active && this.#list.contains(active) ? active : null;
  }

  /** The focus of a row that goes is taken by the next that stays, the one before, or the heading. */
  #passFocus(item, staying) {
    const items = [...rowsOf(this.#list)];
    const at = items.indexOf(item);
    const stays = ({ dataset }) => staying.has(dataset.key);
    const heir = items.slice(at).find(stays) ?? items.slice(0, at).findLast(stays);
    const target = heir?.querySelector('a') ?? heir ?? this.#view.heading;
    if (target === heir) heir.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  #places() {
    const origin = this.#list.getBoundingClientRect().top;
    return new Map([...rowsOf(this.#list)].map((item) => [item, item.getBoundingClientRect().top - origin]));
  }

  #animate(before) {
    const origin = this.#list.getBoundingClientRect().top;
    const stayed = [...before].filter(([item]) => item.isConnected);
    const steps = stayed.map(([item, top]) => [item, top - item.getBoundingClientRect().top + origin]);
    for (const [item, dy] of steps) {
      if (Math.abs(dy) > 1) item.animate([{ transform: `translateY(${dy}px)` }, {}], glide);
    }
    for (const item of this.#fresh) item.animate([{ opacity: 0, transform: 'translateY(-10px)' }, {}], glide);
  }
}

function made() {
  const item = document.createElement('li');
  item.setAttribute('part', 'row');
  item.setAttribute('role', 'listitem');
  return item;
}

function isBefore(item, other) {
  return Boolean(other.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_PRECEDING);
}

/** @param {number[]} values -1: not there yet @returns {Set<number>} the places of a longest rising run */
export function rising(values) {
  const tails = [], previous = [];
  values.forEach((value, i) => {
    if (value < 0) return;
    let low = 0, high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]] < value) low = middle + 1;
      else high = middle;
    }
    previous[i] = tails[low - 1];
    tails[low] = i;
  });
  const run = new Set();
  for (let i = tails.at(-1); i !== undefined; i = previous[i]) run.add(i);
  return run;
}
