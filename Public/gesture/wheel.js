import { isEligible, room, slop, steepness, stretch, travel } from './touch.js';

/** A wheel that is silent for so many ms lets go; what it does then is another turn. */
const silence = 120;
/** WebKitGTK tells what a finger scrolls, and for a while its momentum, as turns of a wheel. Milliseconds. */
const aftermath = 1000;
/** A touch of which no end is heard, for its row has left, is over after so many ms. */
const longest = 10_000;
/** A turn shorter than this many ms is a flick, as if to arrive at the top: it never primes. */
const shortest = 250;
/** Travel of one event: of a trackpad at most, and of one that jumps as notches and flicks do. px */
const furthest = 24, jump = 60, notch = 12;
/** So many events, each smaller than the last and down to half, are what a trackpad adds once its fingers have left. */
const tail = 6;

/**
 * Hears a wheel or trackpad that turns on upwards where a list is at its top: a pull without a finger. A turn counts from
 * its first event on, so one that arrives at the top pulls nothing; going back down cancels, for then the list scrolls.
 * Nothing is ever prevented, so scrolling waits for nobody.
 */
export class Wheel {
  #surface;
  /** @type {import('./touch.js').PullDelegate} */
  #delegate;
  /** The turn that pulls, or may. */
  #turn = null;
  #heardAt = -Infinity;
  #touchedAt = -Infinity;
  #timer = 0;

  /** @param {HTMLElement} surface @param {import('./touch.js').PullDelegate} delegate */
  constructor(surface, delegate) {
    this.#surface = surface;
    this.#delegate = delegate;
  }

  /** @param {AbortSignal} signal ends it */
  connect(signal) {
    for (const name of ['touchstart', 'touchend', 'touchcancel']) {
      this.#surface.addEventListener(name, this, { passive: true, signal });
    }
  }

  /** @param {boolean} isNear whether the top is in view; a turn that arrives there has begun before, and pulls nothing */
  near(isNear) {
    this.#surface.removeEventListener('wheel', this);
    this.#heardAt = performance.now();
    if (isNear) this.#surface.addEventListener('wheel', this, { passive: true });
  }

  /** Abandons the pull that is under way, if any. */
  cancel() {
    if (this.#stop()?.isClaimed) this.#delegate.cancelled(0);
  }

  /** @param {WheelEvent | TouchEvent} event */
  handleEvent(event) {
    if (event.type !== 'wheel') this.#touchedAt = event.timeStamp + (event.type === 'touchstart' ? longest : 0);
    if (event.timeStamp - this.#touchedAt < aftermath) return this.cancel();
    if (event.timeStamp - this.#heardAt > silence) this.#begin(event);
    this.#heardAt = event.timeStamp;
    if (this.#turn) this.#turned(this.#turn, event);
  }

  #begin(event) {
    this.#letGo();
    if (!isEligible(event, this.#delegate)) return;
    const height = room(this.#delegate.scroller());
    this.#turn = { at: event.timeStamp, height, x: 0, y: 0, base: 0, isClaimed: false, last: 0, highest: 0, falls: 0 };
  }

  #turned(turn, event) {
    const size = -event.deltaY;
    // With these keys it zooms, or goes to the side.
    if (size < 0 || event.ctrlKey || event.shiftKey) return this.cancel();
    if (isTail(turn, size)) return this.#letGo();
    turn.x += Math.abs(event.deltaX);
    turn.y += event.deltaMode || size > jump ? notch : Math.min(size, furthest);
    if (turn.y < slop) return;
    if (!turn.isClaimed && turn.y < steepness * turn.x) return this.cancel();
    if (!turn.isClaimed) turn.base = travel(this.#delegate.claimed(), turn.height);
    turn.isClaimed = true;
    this.#delegate.moved(stretch(turn.base + turn.y - slop, turn.height), event.timeStamp - turn.at < shortest);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#letGo(), silence);
  }

  #letGo() {
    const turn = this.#stop();
    if (!turn?.isClaimed) return;
    if (this.#heardAt - turn.at < shortest || document.hidden) this.#delegate.cancelled(0);
    else this.#delegate.released(0);
  }

  #stop() {
    const turn = this.#turn;
    this.#turn = null;
    clearTimeout(this.#timer);
    return turn;
  }
}

function isTail(turn, size) {
  if (size < turn.last) turn.falls += 1;
  if (size > turn.last) turn.falls = 0;
  turn.last = size;
  turn.highest = Math.max(turn.highest, size);
  return turn.falls >= tail && size <= turn.highest / 2;
}
