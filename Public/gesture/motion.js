/**
 * Where the content is: under a finger, or on its way by a critically damped spring. The compositor moves it, so a
 * busy page doesn't stutter; nothing is left on the element at rest.
 */

/** Of the spring, in 1/s. */
const omega = 25;
const keyframes = 16;
/** Between two ticks. Milliseconds. */
const apart = 150;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** @returns {boolean} whether the person asked for less motion */
export const prefersReducedMotion = () => reducedMotion.matches;

/** Of scrolling to a place by script. @returns {ScrollBehavior} */
export const scrollBehavior = () => (prefersReducedMotion() ? 'auto' : 'smooth');

export class Motion {
  #parts;
  #rested;
  #offset = 0;
  #isAtRest = true;
  /** @type {Animation[]} */ #animations = [];
  #from = 0;
  #velocity = 0;
  #duration = 0;

  /**
   * @param {{element: HTMLElement, place: (offset: number) => string, put?: string}[]} parts what moves, each by a transform
   * @param {(isAtRest: boolean) => void} rested hears when everything has come to rest at 0, and when it no longer is
   */
  constructor(parts, rested) {
    this.#parts = parts;
    this.#rested = rested;
  }

  /** px below its place, in the midst of an animation too. */
  get offset() {
    const { currentTime } = this.#animations[0] ?? {};
    if (typeof currentTime !== 'number') return this.#offset;
    return spring(this.#from, this.#offset, this.#velocity, Math.min(currentTime, this.#duration), this.#duration);
  }

  /** Where the parts are depends on more than the offset, and that has changed. */
  place() {
    this.#put(this.#offset);
  }

  /** Follows the finger, from wherever an animation had got to. @param {number} offset px */
  follow(offset) {
    this.#stop();
    this.#put(offset);
    this.#tell();
  }

  /**
   * @param {number} offset px
   * @param {number} duration milliseconds
   * @param {number} [velocity] px/ms with which the finger let go
   */
  settle(offset, duration, velocity = 0) {
    // It is on its way there.
    if (offset === this.#offset && this.#animations.length) return;
    const from = this.offset;
    this.#stop();
    this.#put(offset);
    if (prefersReducedMotion() || Math.abs(from - offset) < 0.5) return this.#tell();
    [this.#from, this.#velocity, this.#duration] = [from, velocity, duration];
    const way = Array.from({ length: keyframes + 1 }, (_, i) => spring(from, offset, velocity, (i / keyframes) * duration, duration));
    const moving = this.#parts.filter(({ place }) => place(from) !== place(offset));
    this.#animations = moving.map(({ element, place }) => {
      return element.animate(way.map((at) => ({ transform: place(at) || 'none' })), { duration });
    });
    const animation = this.#animations[0];
    animation.onfinish = () => {
      if (animation !== this.#animations[0]) return;
      this.#animations = [];
      this.#tell();
    };
    this.#tell();
  }

  #put(offset) {
    this.#offset = offset;
    for (const part of this.#parts) {
      const transform = part.place(offset);
      if (transform !== part.put) part.element.style.transform = part.put = transform;
    }
  }

  #tell() {
    const isAtRest = this.#offset === 0 && this.#animations.length === 0;
    if (isAtRest === this.#isAtRest) return;
    this.#isAtRest = isAtRest;
    this.#rested(isAtRest);
  }

  #stop() {
    const animations = this.#animations;
    this.#animations = [];
    for (const animation of animations) animation.cancel();
  }
}

/**
 * The parts of a view that move, each with where it is at an offset.
 * @param {import('../element/view.js').View} view
 * @param {{hold: () => number, isBehind: () => boolean, height: number, scrolled: () => number}} gap its height at rest, whether
 *   the indicator stands still behind the content, its greatest height, and how much of it is scrolled out of view: px
 */
export function gapParts(view, { hold, isBehind, height, scrolled }) {
  const slide = (offset) => `translateY(${offset < hold() ? offset - hold() : (offset - hold()) / 2}px)`;
  const move = (offset) => (offset ? `translateY(${offset}px)` : '');
  // Behind the content the indicator stands still, and what the content has left of its gap is cut off.
  const stand = (offset) => `translateY(${height - Math.min(offset, height)}px)`;
  const cut = (offset) => (isBehind() ? `translateY(${Math.min(offset, height) - height}px)` : '');
  return [
    { element: view.content, place: move },
    { element: view.indicator, place: (offset) => (isBehind() ? stand : slide)(offset - scrolled()) },
    { element: view.gap, place: (offset) => cut(offset - scrolled()) },
  ];
}

/** The tick that a phone may give, where a person did not ask for less motion. */
export class Vibration {
  #playedAt = 0;

  /** @param {number} duration milliseconds */
  play(duration) {
    const now = performance.now();
    if (prefersReducedMotion() || now - this.#playedAt < apart) return;
    this.#playedAt = now;
    navigator.vibrate?.(duration);
  }
}

/** Position after `time` of `duration` ms; what little is left at the end is taken away evenly. */
function spring(from, to, velocity, time, duration) {
  const at = (t) => (from - to + (velocity * 1000 + omega * (from - to)) * t) * Math.exp(-omega * t);
  return to + at(time / 1000) - at(duration / 1000) * (time / duration);
}
