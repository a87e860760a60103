/**
 * Which acts can be undone, the newest first to be. Pure: time is passed in.
 *
 * @typedef {object} Offer
 * @property {import('./pending-acts.js').Act} act that succeeded
 * @property {number} until when it can be undone, by performance.now()
 */
export class UndoOffers {
  /** @type {Offer[]} */ #offers = [];

  /** @param {import('./pending-acts.js').Act} act @param {number} until */
  add(act, until) {
    this.#offers.push({ act, until });
  }

  /** @returns {Offer | undefined} */
  get newest() {
    return this.#offers.at(-1);
  }

  /** The newest, which is offered no more. @param {number} now those before it whose time is over go, too */
  take(now = performance.now()) {
    const taken = this.#offers.pop();
    this.#offers = this.#offers.filter(({ until }) => until > now);
    return taken;
  }

  clear() {
    this.#offers = [];
  }
}
