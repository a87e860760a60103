import { isTopAllTheWay } from './scroller.js';

/** Finger travel before anything moves, in px; it is subtracted. */
export const slop = 8;
/** How much steeper than diagonal a pull must be. */
export const steepness = 1.2;
/** A touch shorter than this many ms is a flick: it never primes. */
const flick = 80;
/** A finger that moves is heard of again within so many ms. */
const pace = 100;

/** Where a finger means something else. */
const ignored = '[data-pull-ignore], input, select, textarea, [contenteditable]';

/** What ends a pull besides its finger. */
const endings = ['blur', 'pagehide', 'orientationchange', 'visibilitychange'];

/** Content px shown for `x` px of travel in a scroller `d` px high: a rubber band. */
export const stretch = (x, d) => (x <= 0 ? 0 : (1 - 1 / ((0.55 * x) / d + 1)) * d);
/** The travel that shows `y` content px. */
export const travel = (y, d) => (y <= 0 ? 0 : ((1 / (1 - Math.min(y, d - 1) / d) - 1) * d) / 0.55);

/**
 * Hears a finger, mouse or pen and turns it into a pull. It knows no list and no phase: its delegate does.
 *
 *     touchstart ─ eligible? ─▶ watching ─ slop, steep ─▶ claimed ─ up ─▶ release
 *                     │            │ else: the browser's      │ second finger, touchcancel,
 *                     ▼            ▼                           ▼ blur, hidden, rotation
 *                  ignored      given up                    cancel, never release
 *
 * Times are those of the events: when a finger moved, not when a busy page heard of it.
 *
 * @typedef {object} PullDelegate
 * @property {() => boolean} mayPull asked when a finger comes down
 * @property {() => Element} scroller
 * @property {() => number} claimed a pull begins; returns the px that the content is displaced already
 * @property {(offset: number, isFlick: boolean) => void} moved displayed px; a flick must not prime
 * @property {(velocity: number) => void} released px/ms
 * @property {(velocity: number) => void} cancelled
 */
export class Touch {
  #surface;
  /** @type {PullDelegate} */
  #delegate;
  /** Undoes what one touch did. @type {AbortController | null} */
  #tracking = null;
  /**
   * @type {{x: number, y: number, at: number, height: number, pointer: number | null, isClaimed: boolean, base: number,
   *   offset: number, samples: [number, number][], timer: any} | null}
   */
  #finger = null;

  /**
   * @param {HTMLElement} surface
   * @param {PullDelegate} delegate
   */
  constructor(surface, delegate) {
    this.#surface = surface;
    this.#delegate = delegate;
  }

  /** @param {AbortSignal} signal ends it */
  connect(signal) {
    this.#surface.addEventListener('pointerdown', this, { signal });
    for (const name of endings) addEventListener(name, this, { signal });
  }

  /** @param {boolean} isNear whether the top is in view, where a pull may begin: no other scroll waits for script (0022) */
  near(isNear) {
    this.#surface.removeEventListener('touchstart', this);
    // Not passive, though it prevents nothing (Documentation/Decisions/0005).
    if (isNear) this.#surface.addEventListener('touchstart', this, { passive: false });
  }

  /** Abandons the pull that is under way, if any. */
  cancel() {
    if (this.#stop()?.isClaimed) this.#delegate.cancelled(0);
  }

  /** @param {any} event of those listened to here; whatever is none of a pull ends it */
  handleEvent(event) {
    switch (event.type) {
      case 'touchstart': return this.#touchStarted(event);
      case 'touchmove': return this.#moved(event, event.touches[0], event.cancelable) && event.preventDefault();
      case 'pointerdown': return this.#pointerDown(event);
      case 'pointermove': return this.#moved(event, event, true);
      case 'touchend':
      case 'pointerup': return this.#up(event);
      case 'dragstart':
      case 'selectstart': return event.preventDefault();
      default: this.cancel();
    }
  }

  #touchStarted(event) {
    if (this.#finger?.isClaimed || event.touches.length > 1) return this.cancel();
    // A pencil comes as a pointer first.
    this.#stop();
    if (!isEligible(event, this.#delegate)) return;
    const signal = this.#start(event, event.touches[0], null);
    // A row that leaves the document still hears the rest of its touch, and nobody above it does.
    const [target] = event.composedPath();
    for (const name of ['touchmove', 'touchend', 'touchcancel']) target.addEventListener(name, this, { signal, passive: false });
    // A second finger may come down anywhere.
    addEventListener('touchstart', this, { signal, passive: true, capture: true });
  }

  #pointerDown(event) {
    if (event.pointerType === 'touch' || !event.isPrimary || event.button !== 0) return;
    // A button that came up outside the window was never heard of.
    this.cancel();
    if (!isEligible(event, this.#delegate)) return;
    const signal = this.#start(event, event, event.pointerId);
    for (const name of ['pointermove', 'pointerup', 'pointercancel']) addEventListener(name, this, { signal });
    // Links and pictures would be dragged instead.
    this.#surface.addEventListener('dragstart', this, { signal });
  }

  #start({ timeStamp }, { clientX, clientY }, pointer) {
    const height = room(this.#delegate.scroller());
    const finger = this.#finger = {
      x: clientX, y: clientY, at: timeStamp, height, pointer, isClaimed: false, base: 0, offset: 0, samples: [],
      timer: setTimeout(() => finger.isClaimed && this.#lasted(finger), flick + pace),
    };
    const { signal } = (this.#tracking = new AbortController());
    addEventListener('keydown', ({ key }) => key === 'Escape' && this.cancel(), { signal });
    return signal;
  }

  /** @returns {boolean} whether the move is ours */
  #moved({ timeStamp }, { clientX, clientY }, isCancelable) {
    const finger = this.#finger;
    const dy = clientY - finger.y;
    if (!finger.isClaimed && !this.#claims(finger, clientX - finger.x, dy, isCancelable)) return false;
    const { samples } = finger;
    finger.offset = stretch(finger.base + dy - slop, finger.height);
    if (samples.push([timeStamp, finger.offset]) > 5) samples.shift();
    const isFlick = timeStamp - finger.at < flick;
    if (!isFlick) finger.timer &&= clearTimeout(finger.timer);
    this.#delegate.moved(finger.offset, isFlick);
    return true;
  }

  #claims(finger, dx, dy, isCancelable) {
    if (Math.hypot(dx, dy) < slop) return false;
    if (dy < steepness * Math.abs(dx) || !isCancelable) {
      this.#stop();
      return false;
    }
    finger.isClaimed = true;
    finger.base = travel(this.#delegate.claimed(), finger.height);
    if (finger.pointer !== null) this.#capture(finger.pointer);
    return true;
  }

  /** A finger that is down for longer than a flick pulls, though it may move no more. */
  #lasted({ samples, at, offset }) {
    if (samples.at(-1)[0] - at < flick) this.#delegate.moved(offset, false);
  }

  #capture(pointer) {
    this.#surface.setPointerCapture(pointer);
    getSelection()?.removeAllRanges();
    document.addEventListener('selectstart', this, { signal: this.#tracking.signal });
  }

  #up({ timeStamp }) {
    const finger = this.#stop();
    if (!finger.isClaimed) return;
    if (finger.pointer !== null) swallowClick();
    const velocity = speed(finger.samples, timeStamp);
    if (timeStamp - finger.at < flick) return this.#delegate.cancelled(velocity);
    this.#lasted(finger);
    this.#delegate.released(velocity);
  }

  #stop() {
    const finger = this.#finger;
    this.#finger = null;
    clearTimeout(finger?.timer);
    this.#tracking?.abort();
    return finger;
  }
}

/** What fixes the rubber band of a gesture: the scroller's height, within limits. px */
export const room = (scroller) => Math.min(900, Math.max(480, scroller.clientHeight));

/**
 * Whether what begins with an event may become a pull.
 * @param {Event} event @param {PullDelegate} delegate
 */
export function isEligible(event, delegate) {
  if (event.defaultPrevented || !delegate.mayPull()) return false;
  if ((globalThis.visualViewport?.scale ?? 1) > 1.01) return false;
  const path = event.composedPath();
  if (path.some((node) => node instanceof Element && node.matches(ignored))) return false;
  // A mouse that comes down drops the selection by itself; a finger may be about to drag its handles.
  if (event.type === 'touchstart' && getSelection()?.type === 'Range') return false;
  return isTopAllTheWay(path, delegate.scroller());
}

/** px/ms over the last moves; a finger that stood still lets go with none. */
function speed(samples, at) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (at - last[0] > 50 || last[0] === first[0]) return 0;
  return (last[1] - first[1]) / (last[0] - first[0]);
}

/** A pull by mouse ends on a row: that is no click on its link. */
function swallowClick() {
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0);
}
