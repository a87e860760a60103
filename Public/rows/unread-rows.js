import { isField } from '../element/fields.js';

/** Rows of a list of which a browser remembers that they were there: the first. */
const most = 2000;

const nameOf = (address) => `refreshable-unread ${address}`;

/**
 * Marks the rows that came since this person first saw the list, until they are opened. For whoever has signed in, the server
 * knows them; for others the browser does. Loaded only where a list wants that.
 */
export class UnreadRows {
  #host;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** @type {import('./rows.js').Rows} */ #rows;
  /** @type {import('../connection/watch.js').Watch | null} */ #watch = null;
  /** Ends what was heard of it. */ #followed = new AbortController();
  /** What this browser remembers, if the server does not. @type {{known: Set<string>, unread: Set<string>} | null} */ #memory = null;
  /** @type {Set<HTMLElement>} */ #marked = new Set();
  /** Whether the list comes in pages: what comes at its end is no news. */ #isPaged = false;

  /** @param {HTMLElement} host @param {import('../element/list-renderer.js').ListContext} list @param {import('./rows.js').Rows} rows */
  constructor(host, list, rows) {
    this.#host = host;
    this.#list = list;
    this.#rows = rows;
    // @ts-ignore: it is a CustomEvent.
    host.addEventListener('rowopen', ({ detail }) => this.mark(detail.key, true));
    for (const type of ['click', 'auxclick']) host.addEventListener(type, (event) => this.#clicked(event));
    host.addEventListener('keydown', (event) => this.#keyed(event));
  }

  /** The list may be another. */
  paint() {
    const { watch } = this.#list;
    if (watch === this.#watch) return;
    this.leave();
    this.#watch = watch;
    if (!this.isOn) return;
    const { signal } = (this.#followed = new AbortController());
    // @ts-ignore: it is a CustomEvent.
    watch.addEventListener('change', ({ detail }) => /rows|state|unread/.test(detail.what) && this.#changed(), { signal });
    this.#memory = watch.isKept ? read(watch.address) : null;
    this.#changed();
  }

  /** Another list is shown, or none. */
  leave() {
    this.#followed.abort();
    this.#watch = this.#memory = null;
    this.#isPaged = false;
    this.drawn();
  }

  /** Whether the list wants its rows marked. */
  get isOn() {
    return Boolean(this.#watch?.about?.unread);
  }

  /** @param {string} key of a row */
  has(key) {
    return this.#keys.has(key);
  }

  /** The rows are those of the list. */
  drawn() {
    const keys = this.isOn ? this.#keys : new Set();
    const open = this.#host.getAttribute('open-row');
    if (open !== null && keys.has(open)) return this.mark(open, true);
    const items = new Set([...keys].map((key) => this.#rows.element(key)).filter(Boolean));
    for (const item of this.#marked) if (!items.has(item)) delete item.dataset.unread;
    for (const item of items) item.dataset.unread = this.#list.words.unread;
    this.#marked = items;
  }

  /** What a menu offers: the opposite of what is. @param {string} key @returns {{name: string, title: string}} */
  action(key) {
    const { markSeen, markUnseen } = this.#list.words;
    return this.has(key) ? { name: 'seen', title: markSeen } : { name: 'unseen', title: markUnseen };
  }

  /** @param {string} key of a row @param {boolean} isSeen */
  mark(key, isSeen) {
    if (!this.isOn || isSeen !== this.has(key)) return;
    const { unread } = this.#watch;
    if (unread) {
      // As the server will have it.
      this.#watch.unread = isSeen ? unread.filter((one) => one !== key) : [...unread, key];
      this.#watch.mark(isSeen ? 'seen' : 'unseen', key);
    } else if (this.#memory) {
      if (isSeen) this.#memory.unread.delete(key);
      else this.#memory.unread.add(key);
      this.#store();
    }
    this.drawn();
  }

  /** @returns {Set<string>} */
  get #keys() {
    return this.#watch?.unread ? new Set(this.#watch.unread) : (this.#memory?.unread ?? new Set());
  }

  #changed() {
    const { unread, replica, state } = this.#watch;
    this.#isPaged ||= Boolean(state?.more);
    // Before the first state nobody knows whether the server knows us, nor whether a first load is over.
    if (!unread && state && replica.revision !== null && !(state.phase === 'loading' && state.cause === 'initial')) this.#compare(replica.rows);
    this.drawn();
  }

  /** What was not there before is news. */
  #compare(rows) {
    const keys = rows.slice(0, most).map(({ key }) => key);
    if (!this.#memory) this.#memory = { known: new Set(keys), unread: new Set() };
    const { known, unread } = this.#memory;
    const end = this.#isPaged ? keys.findLastIndex((key) => known.has(key)) : keys.length;
    for (const key of keys.slice(0, end)) if (!known.has(key)) unread.add(key);
    const there = new Set(rows.map(({ key }) => key));
    for (const key of unread) if (!there.has(key)) unread.delete(key);
    this.#memory.known = new Set(keys);
    this.#store();
  }

  #store() {
    if (!this.#watch.isKept || this.#watch.isDenied) return;
    try {
      const { known, unread } = this.#memory;
      localStorage.setItem(nameOf(this.#watch.address), JSON.stringify({ known: [...known], unread: [...unread] }));
    } catch (error) {
      // It is full, or refused: rows are marked while the page is open.
      console.info(error);
    }
  }

  /** Who follows a link of a row has seen it. */
  #clicked(event) {
    const path = event.composedPath();
    const key = path.find((node) => node.dataset?.key !== undefined)?.dataset.key;
    if (key !== undefined && path.some((node) => node.matches?.('a[href]'))) this.mark(key, true);
  }

  #keyed(event) {
    const [target] = event.composedPath();
    const key = target.closest?.('[data-key]')?.dataset.key;
    if (event.key !== 'u' || key === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.isOn || isField(target)) return;
    event.preventDefault();
    this.mark(key, this.has(key));
  }
}

function read(address) {
  try {
    const { known, unread } = JSON.parse(localStorage.getItem(nameOf(address)) ?? '{}');
    return Array.isArray(known) && Array.isArray(unread) ? { known: new Set(known), unread: new Set(unread) } : null;
  } catch (error) {
    // Somebody else may have written it, and a browser may refuse to store anything.
    console.info(error);
    return null;
  }
}
