/**
 * How long to wait before connecting again. Pure: time and chance are passed in.
 *
 *     4000–4099  do not come back unchanged           4200–4299  come back within `after`
 *     4100–4199  back off                             otherwise  random 0–2 s first, then back off
 */
export class Reconnection {
  #attempts = 0;
  #openedAt = null;
  #random;

  /** @param {() => number} random 0 ≤ x < 1 */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** @param {number} now milliseconds */
  opened(now) {
    this.#openedAt = now;
  }

  /**
   * @param {number} code the close code; 1006 where the connection was lost
   * @param {number} now milliseconds
   * @param {{reconnect?: boolean, after?: [number, number]} | null} goodbye
   * @returns {number | null} milliseconds to wait; null: stay away until a person asks
   */
  closed(code, now, goodbye = null) {
    const lived = this.#openedAt === null ? 0 : now - this.#openedAt;
    const wasOpen = this.#openedAt !== null;
    this.#openedAt = null;
    // A server that accepts and drops at once must not be met by an endless row of first attempts.
    if (lived >= 10_000) this.#attempts = 0;
    if ((code >= 4000 && code < 4100) || goodbye?.reconnect === false) return null;
    if (goodbye?.after) return this.#between(...goodbye.after);
    const isFirst = wasOpen && this.#attempts === 0 && !(code >= 4100 && code < 4200);
    const longest = Math.min(30_000, 1000 * 2 ** this.#attempts);
    this.#attempts += 1;
    return isFirst ? this.#between(0, 2000) : this.#between(0, longest);
  }

  /** A person came back, or the network did: the next wait starts small again. */
  encourage() {
    this.#attempts = 0;
  }

  #between(low, high) {
    return low + (high - low) * this.#random();
  }
}
