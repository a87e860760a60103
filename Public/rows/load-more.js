import { write } from '../element/view.js';

/** The distance from the end of the list at which the next page is requested. px */
const near = 600;

/**
 * The row at the end of a list that has more: it loads the next page when the user scrolls near it or presses it, and
 * shows its state: idle, loading, failed, exhausted.
 */
export class LoadMore {
  /** @type {HTMLElement} */ #row;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  #isNear = false;
  #isScrolled = false;
  #isAsking = false;
  /** What was known when the server last answered without a page. */ #refused = { state: null, last: undefined };
  #observer = new IntersectionObserver(([{ isIntersecting }]) => {
    this.#isNear = isIntersecting;
    this.#loadIfNear();
  }, { rootMargin: `0px 0px ${near}px` });

  /** @type {import('./rows.js').Rows} */ #rows;

  /** @param {HTMLElement} row @param {import('../element/list-renderer.js').ListContext} list @param {import('./rows.js').Rows} rows */
  constructor(row, list, rows) {
    this.#row = row;
    this.#list = list;
    this.#rows = rows;
    row.getRootNode().host.addEventListener('keydown', (event) => this.#keyed(event));
    row.querySelector('button').addEventListener('click', () => this.#load());
    this.#observer.observe(row);
    addEventListener('scroll', () => {
      this.#isScrolled = true;
      this.#loadIfNear();
    }, { capture: true, passive: true, once: true });
  }

  paint() {
    const state = this.#state;
    const { words, watch } = this.#list;
    this.#row.hidden = !state;
    this.#row.dataset.state = state;
    /** @type {any} */
    const [said, button] = this.#row.children;
    const { error } = watch?.state?.last ?? {};
    write(said, { failed: words.explain(error ?? {}) || words.notMore, exhausted: words.exhausted }[state] ?? '');
    write(button, { failed: words.retry, loading: words.loadingMore }[state] ?? words.loadMore);
    // It keeps the focus while it loads.
    button.ariaDisabled = state === 'loading' ? 'true' : null;
    const isLeft = state === 'exhausted' && button.matches(':focus');
    button.hidden = state === 'exhausted';
    this.#rows.number(state === 'exhausted' ? watch.replica.total ?? watch.replica.count : -1);
    if (isLeft) this.#rows.elements.at(-1)?.focus();
    this.#loadIfNear();
  }

  /** The keys of a feed: https://www.w3.org/WAI/ARIA/apg/patterns/feed/ */
  #keyed(event) {
    const { key, ctrlKey } = event;
    const articles = this.#rows.elements;
    const at = articles.indexOf(event.composedPath().find(({ role }) => role === 'article'));
    const [button, refresh] = [this.#row.lastElementChild, this.#row.getRootNode().querySelector('[part=refresh]')];
    const target = { PageDown: articles[at + 1] ?? button, PageUp: articles[at - 1], End: ctrlKey && button, Home: ctrlKey && refresh }[key];
    if (at < 0 || !target) return;
    event.preventDefault();
    target.focus();
  }

  get #state() {
    const { more, cause, last } = this.#list.watch?.state ?? {};
    if (cause === 'more' || this.#isAsking) return 'loading';
    // Where rows are still to come there is none to go on after.
    if (this.#last === undefined) return '';
    if (last?.cause === 'more' && last.error) return 'failed';
    if (more) return 'idle';
    return last?.cause === 'more' ? 'exhausted' : '';
  }

  /** The key of the last row, where it is here. */
  get #last() {
    const { rows, first, total } = this.#list.watch?.replica ?? { rows: [] };
    return total && first + rows.length < total ? undefined : rows.at(-1)?.key;
  }

  /**
   * Loads by itself only after scrolling: a short list waits for the button. Nor does it ask twice for what got no page, such
   * as while the list is refreshed: something has to have changed.
   */
  #loadIfNear() {
    if (!this.#isNear || !this.#isScrolled || this.#state !== 'idle') return;
    const { state, last } = this.#refused;
    if (this.#list.watch?.state !== state || this.#last !== last) this.#load();
  }

  async #load() {
    const { watch } = this.#list;
    if (this.#isAsking || !watch) return;
    const last = this.#last;
    this.#isAsking = true;
    this.paint();
    try {
      await watch.more(last);
    } catch (error) {
      this.#list.fail('notMore', error);
    } finally {
      if (this.#last === last) this.#refused = { state: watch.state, last };
      this.#isAsking = false;
      this.paint();
    }
  }
}
