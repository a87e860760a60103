/** Of the speed that a flung list has left after so many ms, by which it slows down: what Chromium and iOS come near to. */
const slowing = 325;
/** px/ms at which it stands. */
const standing = 0.03;
/** What stops it. */
const touches = ['touchstart', 'wheel', 'keydown'];

/**
 * Scrolls as a finger does where a pull becomes a scroll: a browser takes no touch back whose first move was prevented.
 */
export class ScriptedScroll {
  #frame = 0;

  /** @param {Element} scroller @param {number} top px */
  to(scroller, top) {
    this.stop();
    scroller.scrollTop = top;
  }

  /** Lets go: it moves on by itself, until it stands or somebody touches it. @param {Element} scroller @param {number} velocity px/ms */
  fling(scroller, velocity) {
    this.stop();
    let [at, top, speed] = [performance.now(), scroller.scrollTop, velocity];
    const step = (now) => {
      const passed = Math.max(0, now - at);
      top += speed * passed;
      speed *= Math.exp(-passed / slowing);
      at = now;
      scroller.scrollTop = top;
      if (Math.abs(speed) > standing && scroller.scrollTop > 0) this.#frame = requestAnimationFrame(step);
      else this.stop();
    };
    this.#frame = requestAnimationFrame(step);
    for (const type of touches) addEventListener(type, this.#touched, { capture: true, passive: true });
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    for (const type of touches) removeEventListener(type, this.#touched, { capture: true });
  }

  #touched = () => this.stop();
}
