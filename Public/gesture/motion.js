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
  #elements;
  #place;
  #rested;
  #offset = 0;
  /** The transforms as they were written last. @type {string[]} */ #transforms = [];
  #isAtRest = true;
  /** @type {Animation[]} */ #animations = [];
  #from = 0;
  #velocity = 0;
  #duration = 0;

  /**
   * @param {HTMLElement[]} elements what moves, each by a transform
   * @param {(offset: number) => string[]} place the transform of each
   * @param {(isAtRest: boolean) => void} rested hears when everything has come to rest at 0, and when it no longer is
   */
  constructor(elements, place, rested) {
    this.#elements = elements;
    this.#place = place;
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
    this.#move(this.#offset);
  }

  /** Follows the finger, from wherever an animation had got to. @param {number} offset px */
  follow(offset) {
    if (this.#animations.length) this.#stop();
    this.#move(offset);
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
    this.#move(offset);
    if (prefersReducedMotion() || Math.abs(from - offset) < 0.5) return this.#tell();
    [this.#from, this.#velocity, this.#duration] = [from, velocity, duration];
    const way = Array.from({ length: keyframes + 1 }, (_, i) => {
      return this.#place(spring(from, offset, velocity, (i / keyframes) * duration, duration));
    });
    const [first, last] = [this.#place(from), this.#transforms];
    this.#animations = this.#elements.flatMap((element, part) => {
      return first[part] === last[part] ? [] : element.animate(way.map((at) => ({ transform: at[part] || 'none' })), { duration });
    });
    const animation = this.#animations[0];
    animation.onfinish = () => {
      if (animation !== this.#animations[0]) return;
      this.#animations = [];
      this.#tell();
    };
    this.#tell();
  }

  #move(offset) {
    this.#offset = offset;
    const before = this.#transforms;
    const after = (this.#transforms = this.#place(offset));
    for (let part = 0; part < after.length; part += 1) {
      if (after[part] !== before[part]) this.#elements[part].style.transform = after[part];
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

/** As a transform. @param {number} way px */
const down = (way) => `translateY(${way}px)`;

/**
 * The transforms of content, indicator and gap.
 * @param {number} offset of the content: px
 * @param {number} scrolled how much of the gap is scrolled out of view: px
 * @param {number} hold the gap's height at rest: px
 * @param {number} height where the indicator stands still behind the content, the gap's greatest height, px; else 0
 * @returns {string[]}
 */
export function transforms(offset, scrolled, hold, height) {
  const content = offset ? down(offset) : '';
  const open = offset - scrolled;
  if (!height) return [content, down(open < hold ? open - hold : (open - hold) / 2), ''];
  // What the content has left of the gap is cut off.
  const hidden = height - Math.min(open, height);
  return [content, down(hidden), down(-hidden)];
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
