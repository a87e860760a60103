/** What fixes the band of a gesture is the scroller's height, within these limits. px */
const least = 480, most = 900;

/** How far the content follows a finger: the less the further it is, and never by all of the scroller's height. */
export class RubberBand {
  #height;

  /** @param {Element} scroller as it is when a pull begins */
  constructor({ clientHeight }) {
    this.#height = Math.min(most, Math.max(least, clientHeight));
  }

  /** Content px shown for `x` px of a finger's travel. */
  stretch(x) {
    return x <= 0 ? 0 : (1 - 1 / ((0.55 * x) / this.#height + 1)) * this.#height;
  }

  /** The travel that shows `y` content px. */
  travel(y) {
    return y <= 0 ? 0 : ((1 / (1 - Math.min(y, this.#height - 1) / this.#height) - 1) * this.#height) / 0.55;
  }
}
