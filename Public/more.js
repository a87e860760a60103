import { write } from './view.js';

/** A page is asked for when the end of the list is so near to the view. px */
const near = 600;

/**
 * The row at the end of a list that has more: it loads the next page when somebody scrolls near it or presses it, and
 * says how that goes: idle, loading, failed, exhausted.
 */
export class More {
  #row;
  /** @type {import('./pulling.js').ListFacts} */ #list;
  #isNear = false;
  #isScrolled = false;
  /** The last row when the page was asked for that is awaited. @type {string | undefined} */ #asked;
  #observer = new IntersectionObserver(([{ isIntersecting }]) => this.#saw(isIntersecting), {
    rootMargin: `0px 0px ${near}px`,
  });

  /** @param {HTMLElement} row @param {import('./pulling.js').ListFacts} list */
  constructor(row, list) {
    this.#row = row;
    this.#list = list;
    row.querySelector('button').addEventListener('click', () => this.#load());
    this.#observer.observe(row);
    addEventListener('scroll', () => this.#scrolled(), { capture: true, passive: true, once: true });
  }

  paint() {
    const look = this.#look;
    const { words, watch } = this.#list;
    this.#row.hidden = !look;
    this.#row.dataset.look = look;
    const [said, button] = this.#row.children;
    const { error } = watch?.state?.last ?? {};
    write(said, { loading: words.loadingMore, failed: error?.message ?? words.notMore, exhausted: words.exhausted }[look] ?? '');
    write(button, look === 'failed' ? words.retry : words.loadMore);
    button.hidden = look !== 'idle' && look !== 'failed';
    this.#loadIfNear();
  }

  get #look() {
    const { more, cause, last } = this.#list.watch?.state ?? {};
    if (cause === 'more' || this.#asked !== undefined) return 'loading';
    if (last?.cause === 'more' && last.error) return 'failed';
    if (more) return 'idle';
    return last?.cause === 'more' ? 'exhausted' : '';
  }

  #scrolled() {
    this.#isScrolled = true;
    this.#loadIfNear();
  }

  #saw(isNear) {
    this.#isNear = isNear;
    this.#loadIfNear();
  }

  /** By itself only for somebody who scrolls: a list that is short waits to be asked. */
  #loadIfNear() {
    if (this.#isNear && this.#look === 'idle' && this.#isScrolled) this.#load();
  }

  async #load() {
    const { watch } = this.#list;
    if (this.#asked !== undefined || !watch) return;
    this.#asked = watch.replica.rows.at(-1)?.key;
    this.paint();
    try {
      await watch.more(this.#asked);
    } catch (error) {
      this.#list.fail('notMore', error);
    } finally {
      this.#asked = undefined;
      this.paint();
    }
  }
}
