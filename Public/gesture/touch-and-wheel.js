/** Finger travel before anything moves, in px; it is subtracted. */
const slop = 8;
/** How much steeper than diagonal a pull must be. */
const steepness = 1.2;
/** A touch that begins so near to the top arrives there and pulls: px. */
export const arriving = 40;
/** A touch shorter than this many ms is a flick: it never primes. */
const flick = 80;
/** The longest time between two events of a moving finger, in milliseconds. */
const pace = 100;

/** Where a finger means something else. */
const ignored = '[data-pull-ignore], input, select, textarea, [contenteditable]';

/** What ends a pull besides its finger. */
const endings = ['blur', 'pagehide', 'orientationchange', 'visibilitychange'];

/**
 * Turns what a finger, mouse or pen does into a pull. It knows no list, no phase and no rubber band: its delegate does.
 *
 *     touchstart ─ eligible? ─▶ watching ─ slop, steep ─▶ claimed ─ up ─▶ release
 *                     │            │ else: the browser's      │ second finger, touchcancel,
 *                     ▼            ▼                           ▼ blur, hidden, rotation
 *                  ignored      given up                    cancel, never release
 *
 * Times are those of the events: when a finger moved, not when a busy page handled it.
 *
 * @typedef {object} PullDelegate
 * @property {() => boolean} mayPull asked when a finger comes down
 * @property {(path: EventTarget[]) => boolean} isHandle whether a mouse may pull there; elsewhere it selects text
 * @property {(path: EventTarget[]) => number} distance from the top, of all that scrolls on an event's path: px
 * @property {(mayScroll: boolean) => void} claimed a pull begins; whether it goes on as a scroll where it is pushed up
 * @property {(travel: number, isFlick: boolean) => number} moved px since then, and gives the px displayed; a flick must not prime
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
   * @type {{x: number, y: number, at: number, pointer: number | null, isClaimed: boolean, travel: number,
   *   samples: [number, number][], timer: any} | null}
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

  /** @param {boolean} isNear whether the top is in view, where a pull may begin: no other scroll waits for script (Decisions/18) */
  near(isNear) {
    this.#surface.removeEventListener('touchstart', this);
    // Not passive, though it prevents nothing (Documentation/Decisions/18).
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
      case 'touchmove': return this.#moved(event, event.touches[0]) && event.preventDefault();
      case 'pointerdown': return this.#pointerDown(event);
      case 'pointermove': return this.#moved(event, event);
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
    if (!isEligible(event, this.#delegate, arriving)) return;
    const signal = this.#start(event, event.touches[0], null);
    // A row that leaves the document still hears the rest of its touch, and nobody above it does.
    const [target] = event.composedPath();
    for (const name of ['touchmove', 'touchend', 'touchcancel']) target.addEventListener(name, this, { signal, passive: false });
    // A second finger may come down anywhere.
    addEventListener('touchstart', this, { signal, passive: true, capture: true });
  }

  #pointerDown(event) {
    if (event.pointerType === 'touch' || !event.isPrimary || event.button !== 0) return;
    if (event.pointerType === 'mouse' && !this.#delegate.isHandle(event.composedPath())) return;
    // A button that came up outside the window was never heard of.
    this.cancel();
    if (!isEligible(event, this.#delegate)) return;
    const signal = this.#start(event, event, event.pointerId);
    for (const name of ['pointermove', 'pointerup', 'pointercancel']) addEventListener(name, this, { signal });
    // Links and pictures would be dragged instead.
    this.#surface.addEventListener('dragstart', this, { signal });
  }

  #start({ timeStamp }, { clientX, clientY }, pointer) {
    const finger = this.#finger = {
      x: clientX, y: clientY, at: timeStamp, pointer, isClaimed: false, travel: 0, samples: [],
      timer: setTimeout(() => finger.isClaimed && this.#lasted(finger), flick + pace),
    };
    const { signal } = (this.#tracking = new AbortController());
    addEventListener('keydown', ({ key }) => key === 'Escape' && this.cancel(), { signal });
    return signal;
  }

  /** @returns {boolean} whether the move is ours */
  #moved(event, point) {
    const finger = this.#finger;
    const dy = point.clientY - finger.y;
    if (!finger.isClaimed && !this.#claims(finger, point.clientX - finger.x, dy, event.cancelable)) return false;
    const { samples } = finger;
    const { timeStamp } = event;
    const isFlick = timeStamp - finger.at < flick;
    if (!isFlick) finger.timer &&= clearTimeout(finger.timer);
    finger.travel = dy - slop;
    if (samples.push([timeStamp, this.#delegate.moved(finger.travel, isFlick)]) > 5) samples.shift();
    return true;
  }

  #claims(finger, dx, dy, isCancelable) {
    if (Math.hypot(dx, dy) < slop) return false;
    if (dy < steepness * Math.abs(dx) || !isCancelable) {
      this.#stop();
      return false;
    }
    finger.isClaimed = true;
    this.#delegate.claimed(finger.pointer === null);
    if (finger.pointer !== null) this.#capture(finger.pointer);
    return true;
  }

  /** A finger that is down for longer than a flick pulls, though it may move no more. */
  #lasted({ samples, at, travel }) {
    if (samples.at(-1)[0] - at < flick) this.#delegate.moved(travel, false);
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

/** A wheel that is silent for so many ms lets go; what it does then is another turn. */
const silence = 120;
/** WebKitGTK reports scrolling by finger, and its momentum, as wheel events for this long. Milliseconds. */
const momentum = 1000;
/** A touch without an end event, as its row was removed, ends after this time. Milliseconds. */
const longest = 10_000;
/** A turn shorter than this many ms is a flick, as if to arrive at the top: it never primes. */
const shortest = 250;
/** Travel of one event: of a trackpad at most; and what is a jump, as of notches and flicks, which moves nothing. px */
const furthest = 24, jump = 60;
/** So many events, each smaller than the last and down to half, are what a trackpad adds once its fingers have left. */
const tail = 6;

/**
 * Turns a wheel or trackpad that goes on upwards where a list is at its top into a pull: one without a finger. A turn counts from
 * its first event on, so one that arrives at the top pulls nothing; going back down cancels, for then the list scrolls.
 * No event is prevented, so scrolling never waits for script.
 */
export class Wheel {
  #surface;
  /** @type {PullDelegate} */
  #delegate;
  /** The turn that pulls, or may. */
  #turn = null;
  #heardAt = -Infinity;
  #touchedAt = -Infinity;
  #timer = 0;

  /** @param {HTMLElement} surface @param {PullDelegate} delegate */
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
    if (event.timeStamp - this.#touchedAt < momentum) return this.cancel();
    if (event.timeStamp - this.#heardAt > silence) this.#begin(event);
    this.#heardAt = event.timeStamp;
    if (this.#turn) this.#turned(this.#turn, event);
  }

  #begin(event) {
    this.#letGo();
    if (!isEligible(event, this.#delegate)) return;
    this.#turn = { at: event.timeStamp, x: 0, y: 0, isClaimed: false, last: 0, highest: 0, falls: 0 };
  }

  #turned(turn, event) {
    const isJump = isNotch(event);
    const size = -event.deltaY;
    // With these keys it zooms, or goes to the side.
    if (size < 0 || event.ctrlKey || event.shiftKey) return this.cancel();
    if (isTail(turn, size)) return this.#letGo();
    turn.x += Math.abs(event.deltaX);
    turn.y += isJump || size > jump ? 0 : Math.min(size, furthest);
    if (turn.y < slop) return;
    if (!turn.isClaimed && turn.y < steepness * turn.x) return this.cancel();
    if (!turn.isClaimed) this.#delegate.claimed(false);
    turn.isClaimed = true;
    this.#delegate.moved(turn.y - slop, event.timeStamp - turn.at < shortest);
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

/**
 * Whether what begins with an event may become a pull.
 * @param {Event} event @param {PullDelegate} delegate @param {number} [below] how far from the top it may begin: px
 */
function isEligible(event, delegate, below = 0) {
  if (event.defaultPrevented || !delegate.mayPull()) return false;
  if ((globalThis.visualViewport?.scale ?? 1) > 1.01) return false;
  const path = event.composedPath();
  if (path.some((node) => node instanceof Element && node.matches(ignored))) return false;
  // A mouse that comes down drops the selection by itself; a finger may be about to drag its handles.
  if (event.type === 'touchstart' && getSelection()?.type === 'Range') return false;
  return delegate.distance(path) <= below;
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

/** Of a wheel: a legacy delta of 120 each. That of a trackpad is three times its pixels. */
function isNotch(event) {
  // Asked for first: Firefox gives lines as pixels to those who don't.
  const { deltaMode } = event;
  return deltaMode > 0 || (event.wheelDeltaY % 120 === 0 && event.wheelDeltaY !== -3 * event.deltaY);
}

function isTail(turn, size) {
  if (size < turn.last) turn.falls += 1;
  if (size > turn.last) turn.falls = 0;
  turn.last = size;
  turn.highest = Math.max(turn.highest, size);
  return turn.falls >= tail && size <= turn.highest / 2;
}
