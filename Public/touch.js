import { isTopAllTheWay } from './scroller.js';

/** Finger travel before anything moves, in px; it is subtracted. */
const slop = 8;
/** How much steeper than diagonal a pull must be. */
const steepness = 1.2;
/** A touch shorter than this many ms is a flick, never a refresh. */
const flick = 80;

/** Where a finger means something else. */
const ignored = '[data-pull-ignore], input, select, textarea, [contenteditable]';

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
 * @typedef {object} TouchDelegate
 * @property {() => boolean} mayPull asked when a finger comes down
 * @property {() => Element} scroller
 * @property {() => number} claimed a pull begins; returns the px that the content is displaced already
 * @property {(offset: number) => void} moved displayed px
 * @property {(velocity: number) => void} released px/ms
 * @property {(velocity: number) => void} cancelled
 */
export class Touch {
  #surface;
  /** @type {TouchDelegate} */ #delegate;
  /** @type {AbortController | null} undoes what `connect` did */ #connected = null;
  /** @type {AbortController | null} undoes what one touch did */ #tracking = null;
  /** @type {{x: number, y: number, at: number, height: number, isClaimed: boolean, base: number,
   *   samples: [number, number][], pointer: number | null} | null} */ #finger = null;

  /** @param {HTMLElement} surface @param {TouchDelegate} delegate */
  constructor(surface, delegate) {
    this.#surface = surface;
    this.#delegate = delegate;
  }

  connect() {
    this.#connected = new AbortController();
    const { signal } = this.#connected;
    // Not passive, though it prevents nothing: Chromium decides at the start whether moves can be cancelled, and where
    // it saw only passive listeners, a pull that began on a row's text could not be claimed. Moves of other touches
    // still wait for nobody.
    this.#surface.addEventListener('touchstart', (event) => this.#touchStarted(event), { passive: false, signal });
    this.#surface.addEventListener('pointerdown', (event) => this.#pointerDown(event), { signal });
  }

  disconnect() {
    this.cancel();
    this.#connected?.abort();
    this.#connected = null;
  }

  /** Abandons the pull that is under way, if any. */
  cancel() {
    const finger = this.#stop();
    if (finger?.isClaimed) this.#delegate.cancelled(0);
  }

  #touchStarted(event) {
    if (this.#finger) return this.cancel();
    if (event.touches.length !== 1 || !this.#isEligible(event)) return;
    const { signal } = this.#start(event.touches[0], null);
    // A row that leaves the document still hears the rest of its touch, and nobody above it does.
    const [target] = event.composedPath();
    target.addEventListener('touchmove', (move) => this.#touchMoved(move), { signal, passive: false });
    target.addEventListener('touchend', () => this.#up(), { signal });
    target.addEventListener('touchcancel', () => this.cancel(), { signal });
  }

  #touchMoved(event) {
    if (event.touches.length > 1) return this.cancel();
    if (this.#moved(event.touches[0], event.cancelable)) event.preventDefault();
  }

  #pointerDown(event) {
    if (event.pointerType === 'touch' || !event.isPrimary || event.button !== 0) return;
    // A button that came up outside the window was never heard of.
    this.cancel();
    if (!this.#isEligible(event)) return;
    const { signal } = this.#start(event, event.pointerId);
    addEventListener('pointermove', (move) => this.#moved(move, true), { signal });
    addEventListener('pointerup', () => this.#up(), { signal });
    addEventListener('pointercancel', () => this.cancel(), { signal });
    // Links and pictures would be dragged instead.
    this.#surface.addEventListener('dragstart', (drag) => drag.preventDefault(), { signal });
  }

  #isEligible(event) {
    if (event.defaultPrevented || !this.#delegate.mayPull()) return false;
    if ((globalThis.visualViewport?.scale ?? 1) > 1.01) return false;
    const path = event.composedPath();
    if (path.some((node) => node instanceof Element && node.matches(ignored))) return false;
    // A mouse that comes down drops the selection by itself; a finger may be about to drag its handles.
    if (event.type === 'touchstart' && getSelection()?.type === 'Range') return false;
    return isTopAllTheWay(path, this.#delegate.scroller());
  }

  #start({ clientX, clientY }, pointer) {
    const height = Math.min(900, Math.max(480, this.#delegate.scroller().clientHeight));
    const at = performance.now();
    this.#finger = { x: clientX, y: clientY, at, height, isClaimed: false, base: 0, samples: [], pointer };
    this.#tracking = new AbortController();
    const { signal } = this.#tracking;
    for (const name of ['blur', 'pagehide', 'orientationchange', 'visibilitychange']) {
      addEventListener(name, () => this.cancel(), { signal });
    }
    return this.#tracking;
  }

  /** @returns {boolean} whether the move is ours */
  #moved({ clientX, clientY }, isCancelable) {
    const finger = this.#finger;
    if (!finger) return false;
    const dx = clientX - finger.x, dy = clientY - finger.y;
    if (!finger.isClaimed && !this.#claims(finger, dx, dy, isCancelable)) return false;
    const offset = stretch(finger.base + dy - slop, finger.height);
    finger.samples = [...finger.samples.slice(-4), [performance.now(), offset]];
    this.#delegate.moved(offset);
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

  #capture(pointer) {
    this.#surface.setPointerCapture(pointer);
    getSelection()?.removeAllRanges();
    const { signal } = this.#tracking;
    document.addEventListener('selectstart', (event) => event.preventDefault(), { signal });
  }

  #up() {
    const finger = this.#stop();
    if (!finger?.isClaimed) return;
    if (finger.pointer !== null) swallowClick();
    const velocity = speed(finger.samples);
    if (performance.now() - finger.at < flick) this.#delegate.cancelled(velocity);
    else this.#delegate.released(velocity);
  }

  #stop() {
    const finger = this.#finger;
    this.#finger = null;
    this.#tracking?.abort();
    this.#tracking = null;
    return finger;
  }
}

/** px/ms over the last moves; a finger that stood still lets go with none. */
function speed(samples) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || performance.now() - last[0] > 50 || last[0] === first[0]) return 0;
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
