/** How long a connection has been lost before people are told, and till it is certain. Milliseconds. */
const shown = 1000, certain = 5000;

/** Since when a list has no connection, and what of that people should know: nothing for a moment, and soon that it is lost. */
export class ConnectionLoss {
  /** By performance.now(); 0 while there is a connection. */ #since = 0;
  /** @type {number[]} */ #timers = [];
  #changed;

  /** @param {() => void} changed called when people should know something else */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {boolean} isConnected */
  update(isConnected) {
    this.end();
    this.#since = isConnected ? 0 : this.#since || performance.now();
    if (this.#since) this.#timers = [shown, certain].map((delay) => setTimeout(this.#changed, delay + 10));
  }

  /** Nobody is to be told any more. */
  end() {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Whether there is no connection, known to people or not. */
  get isLost() {
    return this.#since > 0;
  }

  /** The key of the words for it; '' where nothing is to be said. @returns {'' | 'connecting' | 'offline'} */
  get word() {
    const lasted = performance.now() - this.#since;
    if (!this.isLost || lasted < shown) return '';
    return navigator.onLine === false || lasted >= certain ? 'offline' : 'connecting';
  }
}
