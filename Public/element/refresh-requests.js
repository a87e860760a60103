import { withoutHidden } from '../connection/list-state.js';

/** A server that heeds a cancellation has said so after this time. Milliseconds. */
const heeding = 400;

/**
 * What this page's person wants of a list's refresh: they ask for it, withdraw from it, or see no more of one that others want.
 *
 * @typedef {object} Requester the element, as far as its requests need it
 * @property {() => import('../connection/watch.js').Watch | null} watch
 * @property {() => import('../gesture/pull-controller.js').PullController | null} pullController
 * @property {() => import('../words/words.js').Words | undefined} words
 * @property {(type: string, detail: object, cancelable?: boolean) => boolean} fire
 * @property {() => void} paint
 */
export class RefreshRequests {
  /** What came of the last one, while it is shown. @type {{title: string, code: string, message: string} | null} */ fault = null;
  /** A run that is not to be seen. @type {string | null} */ #hidden = null;
  #timer = 0;
  /** @type {Requester} */ #element;

  /** @param {Requester} element */
  constructor(element) {
    this.#element = element;
  }

  /** The list's state, as this page's person sees it. */
  get state() {
    return withoutHidden(this.#element.watch()?.state ?? null, this.#hidden);
  }

  /** Whether what loads was requested here. The first load is every watcher's. */
  get isOwn() {
    const watch = this.#element.watch();
    return Boolean(watch?.isOwnRun || watch?.state?.cause === 'initial');
  }

  /** Whether the page lets a refresh begin. One that is asked for again is seen again. @param {string} cause */
  consents(cause) {
    this.#hidden = null;
    return this.#element.fire('refresh', { cause }, true);
  }

  /** By a person: errors are shown. A page that prevents it shows its own reason. */
  ask() {
    this.request('button').catch((error) => error.code !== 'refused' && this.fail('failed', error));
  }

  /** @param {string} cause @param {boolean} [isQuiet] @returns {Promise<object | undefined>} the run, once it is over */
  async request(cause, isQuiet = false) {
    const { watch, pullController, paint } = this.#element;
    if (!watch()?.about?.refreshable) throw fault('notRefreshable', 'This list can’t be refreshed.');
    if (!this.consents(cause) || !watch()?.about?.refreshable) throw fault('refused', 'The page refused the refresh.');
    this.fault = null;
    const answer = watch().refresh();
    const asked = pullController()?.ask(isQuiet);
    paint();
    try {
      return (await answer)?.last;
    } catch (error) {
      error.message ||= this.#say(error.code);
      throw error;
    } finally {
      pullController()?.drop(asked);
    }
  }

  /** Withdraws from what was requested here. */
  withdraw() {
    const watch = this.#element.watch();
    watch?.withdraw?.();
    const { run, phase } = watch?.state ?? {};
    if (phase !== 'loading') return;
    watch.stop(run).catch((error) => this.fail('failed', error));
    // It goes on where others want it.
    this.#timer = setTimeout(() => this.hide(run), heeding);
  }

  /** Shows a run no more, though it goes on. */
  hide(run = this.#element.watch()?.state?.run) {
    this.#hidden = run ?? null;
    this.#element.paint();
  }

  /** Shows that a request failed. @param {string} title a key of the words @param {{code?: string, message: string}} error */
  fail(title, { code = 'internal', message }) {
    this.fault = { title, code, message };
    this.#element.fire('error', { code, message: message || this.#say(code) });
    this.#element.paint();
  }

  /** Another list: nothing of the one before is hidden. */
  reset() {
    clearTimeout(this.#timer);
    this.#hidden = null;
  }

  /** What our words say of a fault, by its code. */
  #say(code) {
    return this.#element.words()?.[code] ?? code;
  }
}

/** @returns {Error} for who writes the page, in English */
export function fault(code, message) {
  return Object.assign(new Error(message), { code });
}
