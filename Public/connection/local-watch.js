import { Pull, presets } from '../gesture/pull.js';

/** How long a result is shown. Milliseconds, as the server has it. */
const closing = 600;

/**
 * A list without a server: what it refreshes is the page's own affair, by the element's `handler`. To the rest of the
 * element it is a {@link import('./watch.js').Watch}: the same gesture, one run for all who ask, the same phases.
 */
export class LocalWatch extends EventTarget {
  name = '';
  isConnected = true;
  isLookedAtBesides = () => false;
  own = null;
  isOwnRun = true;
  progress = null;
  refusal = null;
  /** The page's own content stands in the place of rows. */ replica = { rows: [], count: 1, revision: 0 };
  state = { phase: 'waiting' };
  #handler;
  #pull;
  #users = 0;
  #runs = 0;
  #gestures = 0;
  /** @type {{controller: AbortController, over: Promise<object>} | null} */ #running = null;

  /** @param {HTMLElement} host has the gesture's `preset` @param {Function} handler */
  constructor(host, handler) {
    super();
    this.#handler = handler;
    const pull = presets[host.getAttribute('preset')] ?? presets.standard;
    this.about = { refreshable: true, title: '', pull };
    this.#pull = new Pull(pull);
    this.connection = { refusal: null, nextGesture: () => (this.#gestures += 1), connectNow: () => {} };
  }

  retain() {
    this.#users += 1;
    return this;
  }

  /** It is no longer shown: its run is cancelled. */
  release() {
    this.#users -= 1;
    setTimeout(() => this.#users === 0 && this.stop(), 0);
  }

  pull(gesture, offset) {
    this.#feed({ type: 'sample', gesture, offset });
  }

  cancelPull(gesture) {
    this.#feed({ type: 'cancel', gesture });
  }

  async releasePull(gesture, offset, peak) {
    const answer = this.#feed({ type: 'release', gesture, offset, peak });
    return ['run', 'joins', 'own', 'repeated'].includes(answer) ? { run: this.state.run } : { run: null, reason: answer };
  }

  /** @returns {Promise<object>} the state in which the run was over */
  refresh() {
    return this.#begin('code');
  }

  async stop() {
    this.#running?.controller.abort();
  }

  #feed(event) {
    const { refresh, answer } = this.#pull.handle(event);
    if (refresh !== undefined) this.#begin('pull');
    return answer;
  }

  #begin(cause) {
    if (!this.#running) {
      const controller = new AbortController();
      this.#running = { controller, over: this.#run(cause, controller.signal) };
    }
    return this.#running.over;
  }

  async #run(cause, signal) {
    const { updatedAt, staleSince, last } = this.state;
    const run = `local-${(this.#runs += 1)}`;
    const startedAt = Date.now();
    this.progress = null;
    this.#tell('begin', { phase: 'loading', run, cause, startedAt, updatedAt, staleSince, last });
    const { outcome, error } = await this.#outcome(signal);
    const over = { run, outcome, error, duration: Date.now() - startedAt };
    this.#running = null;
    const age = outcome === 'success' ? { updatedAt: Date.now() } : { updatedAt, staleSince: staleSince ?? startedAt };
    this.#tell('end', { phase: 'closing', run, ...age, last: over });
    const { state } = this;
    setTimeout(() => this.state === state && this.#tell('settle', { ...state, phase: 'waiting', run: undefined }), closing);
    return state;
  }

  /** A cancelled handler has not succeeded, whatever it returned. */
  async #outcome(signal) {
    try {
      await this.#handler({ signal, progress: (...told) => this.#report(...told) });
      return { outcome: signal.aborted ? 'cancelled' : 'success' };
    } catch (error) {
      return signal.aborted ? { outcome: 'cancelled' } : { outcome: 'failure', error: { code: 'internal', message: String(error?.message ?? error) } };
    }
  }

  #report(completed, total, note) {
    this.progress = { completed, total, note };
    this.dispatchEvent(new CustomEvent('change', { detail: { what: 'progress' } }));
  }

  #tell(type, state) {
    this.#pull.handle({ type });
    this.state = { ...state, heard: state.run ?? state.last?.run ?? null };
    this.dispatchEvent(new CustomEvent('change', { detail: { what: 'state' } }));
  }
}
