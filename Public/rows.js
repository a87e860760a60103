import { isCalm } from './motion.js';
import { rowStyles } from './row-styles.js';
import { ago, full, milliseconds } from './time.js';

/** More changes than this, or rows, and nothing is animated: it could not be followed by eye. */
const followable = { changes: 30, rows: 400 };
const place = { duration: 260, easing: 'cubic-bezier(.2,.8,.2,1)' };

/** The parts of a row, each a small verb from fields to an element; a field that isn't there has none. */
const parts = {
  image: (fields) => web(fields.image) && element('img', { src: web(fields.image), alt: '', loading: 'lazy' }),
  title: (fields, key) => titled(text(fields.title) || key, web(fields.link)),
  subtitle: (fields) => text(fields.subtitle) && element('span', { textContent: text(fields.subtitle), dir: 'auto' }),
  badge: (fields) => text(fields.badge) && element('span', { textContent: text(fields.badge) }),
  detail: (fields) => text(fields.detail) && element('span', { textContent: text(fields.detail), dir: 'auto' }),
  time: (fields) => milliseconds(fields.time) !== null && timed(milliseconds(fields.time)),
};

/**
 * The rows on the screen, kept in step with a list by key: what stays is moved and mended, never made anew, so that
 * focus, selection and pictures live on.
 */
export class Rows {
  #list;
  #orphaned;
  /** @type {Map<string, {item: HTMLLIElement, fields: object}>} */ #drawn = new Map();

  /**
   * @param {HTMLUListElement} list
   * @param {() => void} orphaned the focused row went and no row is left to take the focus
   */
  constructor(list, orphaned) {
    this.#list = list;
    this.#orphaned = orphaned;
    list.getRootNode().adoptedStyleSheets.push(rowStyles);
  }

  /**
   * @param {import('./replica.js').Row[]} rows in order
   * @param {boolean} isAnimated whether people should see what became of each
   */
  render(rows, isAnimated) {
    const keys = new Set(rows.map(({ key }) => key));
    const gone = [...this.#drawn.keys()].filter((key) => !keys.has(key));
    const changes = gone.length + rows.filter(({ key, fields }) => this.#drawn.get(key)?.fields !== fields).length;
    const follows = isAnimated && !isCalm() && changes <= followable.changes && rows.length <= followable.rows;
    const before = follows ? this.#places() : null;
    const focused = this.#focused();
    for (const key of gone) this.#remove(key, keys);
    const fresh = rows.filter((row) => this.#draw(row)).map(({ key }) => this.#drawn.get(key).item);
    this.#arrange(rows);
    if (focused?.isConnected) focused.focus({ preventScroll: true });
    if (before) this.#animate(before, fresh);
  }

  /** Brings the relative times up to date. */
  tick() {
    const now = Date.now();
    for (const time of this.#list.querySelectorAll('time')) tell(time, now);
  }

  #focused() {
    const active = this.#list.getRootNode().activeElement;
    return active && this.#list.contains(active) ? active : null;
  }

  #remove(key, staying) {
    const { item } = this.#drawn.get(key);
    this.#drawn.delete(key);
    if (item.contains(this.#focused())) this.#passFocus(item, staying);
    item.remove();
  }

  /** The focus of a row that goes is taken by the next that stays, the one before, or the heading. */
  #passFocus(item, staying) {
    for (const step of ['nextElementSibling', 'previousElementSibling']) {
      for (let other = item[step]; other; other = other[step]) {
        if (!staying.has(other.dataset.key)) continue;
        const target = other.querySelector('a') ?? other;
        if (target === other) other.tabIndex = -1;
        return target.focus({ preventScroll: true });
      }
    }
    this.#orphaned();
  }

  /** @returns {boolean} whether the row is new on the screen */
  #draw({ key, fields }) {
    const drawn = this.#drawn.get(key);
    if (drawn?.fields === fields) return false;
    const item = drawn?.item ?? element('li', { part: 'row' });
    item.dataset.key = key;
    for (const [name, make] of Object.entries(parts)) mend(item, name, make(fields, key));
    this.#drawn.set(key, { item, fields });
    return !drawn;
  }

  /** Puts the rows in order with the fewest moves: those on the longest rising run stay where they are. */
  #arrange(rows) {
    const items = rows.map(({ key }) => this.#drawn.get(key).item);
    const index = new Map([...this.#list.children].map((item, i) => [item, i]));
    const stays = rising(items.map((item) => index.get(item) ?? -1));
    for (let i = items.length - 1, next = null; i >= 0; next = items[i], i -= 1) {
      if (!stays.has(i)) this.#list.insertBefore(items[i], next);
    }
  }

  #places() {
    const origin = this.#list.getBoundingClientRect().top;
    return new Map([...this.#list.children].map((item) => [item, item.getBoundingClientRect().top - origin]));
  }

  #animate(before, fresh) {
    const origin = this.#list.getBoundingClientRect().top;
    const stayed = [...before].filter(([item]) => item.isConnected);
    const steps = stayed.map(([item, top]) => [item, top - item.getBoundingClientRect().top + origin]);
    for (const [item, dy] of steps) {
      if (Math.abs(dy) > 1) item.animate([{ transform: `translateY(${dy}px)` }, {}], place);
    }
    for (const item of fresh) item.animate([{ opacity: 0, transform: 'translateY(-10px)' }, {}], place);
  }
}

/** Replaces, adds or takes away the part of that name, and leaves it alone where it is right already. */
function mend(item, name, made) {
  const old = item.querySelector(`:scope > [part~="${name}"]`);
  if (!made) return old?.remove();
  made.setAttribute('part', name);
  if (old?.isEqualNode(made)) return;
  if (old && old.localName === made.localName && old.localName === 'a') {
    // The link may hold the focus.
    old.href = made.href;
    old.textContent = made.textContent;
  } else if (old) old.replaceWith(made);
  else item.append(made);
}

function element(name, properties) {
  const { part, ...rest } = properties;
  const made = Object.assign(document.createElement(name), rest);
  if (part) made.setAttribute('part', part);
  return made;
}

function titled(textContent, href) {
  const link = href && { href, target: '_blank', rel: 'noopener noreferrer' };
  return element(href ? 'a' : 'span', { textContent, dir: 'auto', ...link });
}

function timed(time) {
  const made = element('time', { dateTime: new Date(time).toISOString(), title: full(time) });
  tell(made, Date.now());
  return made;
}

function tell(time, now) {
  const said = ago(Date.parse(time.dateTime), now);
  if (time.textContent !== said) time.textContent = said;
}

/** A field as text; what is no text, number or truth value is not shown. */
function text(value) {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** @returns {string} the address, if it leads to the web: no scripts, no files, no data */
function web(value) {
  if (typeof value !== 'string' || !URL.canParse(value, document.baseURI)) return '';
  const url = new URL(value, document.baseURI);
  return /^https?:$/.test(url.protocol) ? url.href : '';
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
