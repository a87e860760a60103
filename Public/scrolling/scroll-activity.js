import { scroller } from '../gesture/scroller.js';

/** Knows whether a reader moves a list: by fingers on it, by a wheel, or by the momentum that they left. */
export class ScrollActivity {
  #host;
  /** @type {Set<number>} on the list, by identifier */ #fingers = new Set();
  /** Where the list was scrolled to when it was last looked at since. NaN: not yet; null: it has come to rest. */
  /** @type {number | null} */ #top = null;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
    host.addEventListener('touchstart', this.#touched, { passive: true });
    this.#listen();
  }

  /** To one turn of a wheel: more of them say no more until the list has come to rest, and each costs a scroll its time. */
  #listen() {
    this.#host.addEventListener('wheel', this.#left, { passive: true, once: true });
  }

  /**
   * Asked again some 100 ms later: momentum moves a list meanwhile. That says the same in every browser, inside other
   * elements' trees too, where scroll events are not heard, and `scrollend` is not known everywhere.
   */
  isMoving() {
    if (this.#fingers.size) return true;
    if (this.#top === null) return false;
    const { scrollTop } = scroller(this.#host);
    const isMoving = scrollTop !== this.#top;
    this.#top = isMoving ? scrollTop : null;
    if (!isMoving) this.#listen();
    return isMoving;
  }

  #touched = (event) => {
    for (const { identifier } of event.changedTouches) this.#fingers.add(identifier);
    // What is taken from the document still hears the end of its touch, and nobody above it does.
    const [target] = event.composedPath();
    target.addEventListener('touchend', this.#left);
    target.addEventListener('touchcancel', this.#left);
  };

  /** @param {any} event */
  #left = ({ changedTouches = [] }) => {
    for (const { identifier } of changedTouches) this.#fingers.delete(identifier);
    this.#top = NaN;
  };
}
