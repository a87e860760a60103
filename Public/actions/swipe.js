import { make } from '../element/make.js';
import { prefersReducedMotion } from '../gesture/motion.js';
import { displaced, fullAt, restOf } from './swipe-rest.js';
import { swipeStyles } from './action-styles.js';

/** Finger travel before a row moves, which is subtracted; the strip at the screen's edges that is the browser's. px */
const slop = 8, edge = 24;
/** How much flatter than diagonal a swipe must be: a pull (touch-and-wheel.js) must be as much steeper. */
const flatness = 1.2;
/** Of the way to rest; and for how long a touch that is over may yet click. Milliseconds. */
const settling = 260, sliding = 180, lingering = 400;
/** How many actions have room; of more, the last leads to all. */
const most = 3;
/** Where a finger means something else. */
const ignored = '[data-pull-ignore], input, select, textarea, [contenteditable]';

/**
 * Swipes rows aside by finger or pen: their actions are glued to their end. One row is open at a time; a touch elsewhere,
 * scrolling and Escape shut it. Touches are heard by passive listeners: rows have `touch-action: pan-y`, so that a browser
 * leaves what is flat to us, and never waits for us.
 *
 *     touchstart on a row ──▶ watching ── slop, flat ──▶ claimed ── up ──▶ shut, open, or done
 *                                │ else: the browser's, or a pull's   │ second finger, touchcancel: shut
 *
 * @typedef {object} SwipeDelegate
 * @property {(path: EventTarget[]) => HTMLElement | undefined} rowOf the row on an event's path, if it may be swiped
 * @property {() => import('../refreshable-list.js').RowAction[]} actions
 * @property {(item: HTMLElement, action: import('../refreshable-list.js').RowAction) => boolean} act false: the page refuses it
 * @property {(item: HTMLElement) => void} more shows all actions
 * @property {() => void} armed letting go would do the first action now
 * @property {(item: HTMLElement) => string} moreLabel of the button that shows all
 */
export class Swipe {
  #host;
  /** @type {SwipeDelegate} */ #delegate;
  /** The row that is open, or on its way. @type {HTMLElement | null} */ #row = null;
  #offset = 0;
  /** 1 where rows end at the right, else -1. */ #sign = 1;
  /** @type {import('./swipe-rest.js').Extent} */ #extent = { width: 0, row: 0, isFull: false };
  /** @type {{item: HTMLElement, x: number, y: number, isClaimed: boolean, wasOpen: boolean, samples: [number, number][]} | null} */ #finger = null;
  /** What one touch is heard by. */ #tracking = new AbortController();
  /** What an open row is shut by. */ #opened = new AbortController();
  #box = make('div', { exportparts: 'action' });
  #buttons = make('div', { class: 'actions' });
  #swipedAt = -Infinity;

  /** @param {HTMLElement} host @param {SwipeDelegate} delegate */
  constructor(host, delegate) {
    this.#host = host;
    this.#delegate = delegate;
    const root = this.#box.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [swipeStyles];
    root.append(this.#buttons);
    host.addEventListener('touchstart', (event) => this.#down(event, event.touches[0], event.touches.length), { passive: true });
    host.addEventListener('pointerdown', (event) => event.pointerType === 'pen' && this.#down(event, event, 1));
    // A swipe, or the touch that shuts a row, is no click on what is in it.
    host.addEventListener('click', (event) => {
      const path = event.composedPath();
      if (event.timeStamp - this.#swipedAt > lingering || path.includes(this.#box) || !delegate.rowOf(path)) return;
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
  }

  /** Shuts the row that is open, if any. */
  shut() {
    this.#tracking.abort();
    this.#finger = null;
    if (this.#row) this.#settle('shut', 0);
  }

  /** Rows were drawn. One that is gone stays as it is, on its way out. @param {(item: HTMLElement) => boolean} isThere */
  drawn(isThere) {
    if (!this.#row || isThere(this.#row)) return;
    this.#opened.abort();
    this.#row = null;
  }

  /** @param {any} event */
  handleEvent(event) {
    switch (event.type) {
      case 'touchmove': return this.#moved(event, event.touches[0]);
      case 'pointermove': return this.#moved(event, event);
      case 'touchend':
      case 'pointerup': return this.#up(event);
      case 'keydown': return event.key === 'Escape' && this.shut();
      case 'scroll': return this.shut();
      case 'touchstart':
      case 'pointerdown':
        if (event.composedPath().includes(this.#box) || event.composedPath().includes(this.#row)) return;
        this.#swipedAt = event.timeStamp;
        return this.shut();
      default: return this.shut();
    }
  }

  #down(event, { clientX: x, clientY: y }, fingers) {
    const path = event.composedPath();
    if (fingers > 1) return this.shut();
    if (path.includes(this.#box)) return;
    const item = this.#delegate.rowOf(path);
    if (!item || event.defaultPrevented || x < edge || x > innerWidth - edge) return;
    // A finger may be about to drag the handles of a selection.
    if ((globalThis.visualViewport?.scale ?? 1) > 1.01 || getSelection()?.type === 'Range' || this.#isElsewhere(path, item)) return;
    this.#sign = getComputedStyle(this.#host).direction === 'rtl' ? -1 : 1;
    this.#finger = { item, x, y, isClaimed: false, wasOpen: false, samples: [] };
    this.#tracking.abort();
    const { signal } = (this.#tracking = new AbortController());
    const [target, names] = event.type === 'touchstart' ? [path[0], ['touchmove', 'touchend', 'touchcancel']] : [window, ['pointermove', 'pointerup', 'pointercancel']];
    // A row that leaves the document still hears the rest of its touch, and nobody above it does.
    for (const name of names) target.addEventListener(name, this, { signal, passive: name !== 'touchmove' });
  }

  /** Whether what is under the finger has a meaning of its own for it. */
  #isElsewhere(path, item) {
    const inside = path.slice(0, path.indexOf(item)).filter((node) => node instanceof Element);
    return inside.some((node) => node.matches(ignored) || (node.scrollWidth > node.clientWidth && /auto|scroll/.test(getComputedStyle(node).overflowX)));
  }

  #moved(event, { clientX, clientY }) {
    const finger = this.#finger;
    const way = (finger.x - clientX) * this.#sign;
    if (!finger.isClaimed && !this.#claims(finger, way, clientY - finger.y)) return;
    if (event.cancelable) event.preventDefault();
    const travel = (finger.x - clientX) * this.#sign;
    if (finger.samples.push([event.timeStamp, travel]) > 5) finger.samples.shift();
    this.#put(displaced(travel, this.#extent));
  }

  #claims(finger, way, dy) {
    if (Math.hypot(way, dy) < slop) return false;
    const isOpen = finger.item === this.#row;
    if (Math.abs(way) < flatness * Math.abs(dy) || (way < 0 && !isOpen)) {
      this.#finger = null;
      this.#tracking.abort();
      return false;
    }
    const from = isOpen ? this.#place() : 0;
    finger.wasOpen = from > 0;
    if (!isOpen) this.#begin(finger.item);
    finger.isClaimed = true;
    finger.x += (from - Math.sign(way) * slop) * this.#sign;
    return true;
  }

  /** Where the row is, on its way too. */
  #place() {
    const at = Math.abs(new DOMMatrix(getComputedStyle(this.#row).transform).m41);
    this.#row.style.transition = '';
    return at;
  }

  #begin(item) {
    this.#forget();
    this.#row = item;
    this.#offset = 0;
    this.#buttons.classList.remove('full');
    const actions = this.#delegate.actions();
    const shown = actions.length > most ? actions.slice(0, most - 1) : actions;
    this.#buttons.replaceChildren(...shown.map((action) => this.#button(action.title, action.destructive, () => this.#choose(action))));
    if (shown !== actions) this.#buttons.append(this.#button('⋯', false, () => this.#more()));
    if (getComputedStyle(item).position === 'static') item.style.position = 'relative';
    item.parentNode.closest('ul, [part=rows], [slot=rows]').style.overflowX = 'clip';
    item.append(this.#box);
    const width = [...this.#buttons.children].reduce((sum, { firstChild }) => sum + firstChild.offsetWidth, 0);
    this.#extent = { width, row: item.offsetWidth, isFull: isSafe(actions[0]) };
    this.#opened = new AbortController();
    const { signal } = this.#opened;
    for (const name of ['touchstart', 'pointerdown', 'scroll', 'keydown', 'blur']) addEventListener(name, this, { signal, passive: true, capture: name !== 'blur' });
  }

  #button(title, isDestructive, chosen) {
    const button = make('button', { part: 'action', type: 'button' }, make('span', {}, title));
    button.toggleAttribute('data-destructive', Boolean(isDestructive));
    if (title === '⋯') button.ariaLabel = this.#delegate.moreLabel(this.#row);
    button.addEventListener('click', chosen);
    return button;
  }

  #put(offset) {
    this.#offset = offset;
    this.#row.style.transform = offset ? `translateX(${-offset * this.#sign}px)` : '';
    const isArmed = offset >= fullAt(this.#extent);
    if (isArmed === this.#buttons.classList.contains('full')) return;
    this.#buttons.classList.toggle('full', isArmed);
    if (isArmed) this.#delegate.armed();
  }

  #up({ timeStamp }) {
    const finger = this.#finger;
    this.#finger = null;
    this.#tracking.abort();
    if (!finger?.isClaimed) return finger && this.#tapped(finger, timeStamp);
    this.#swipedAt = timeStamp;
    const velocity = speed(finger.samples, timeStamp);
    const rest = restOf(this.#offset, velocity, this.#extent, finger.wasOpen);
    if (rest === 'full') this.#choose(this.#delegate.actions()[0]);
    else this.#settle(rest, velocity);
  }

  /** A tap on the row that is open shuts it, and nothing else. */
  #tapped({ item }, timeStamp) {
    if (item !== this.#row) return;
    this.#swipedAt = timeStamp;
    this.shut();
  }

  /** A row that the action removes slides out before it. */
  #choose(action) {
    const item = this.#row;
    if (action.effect !== 'remove') {
      this.shut();
      return this.#delegate.act(item, action);
    }
    this.#opened.abort();
    this.#glide(this.#extent.row, sliding, () => this.#delegate.act(item, action) || this.shut());
  }

  #more() {
    const item = this.#row;
    this.shut();
    this.#delegate.more(item);
  }

  /** @param {'open' | 'shut'} rest */
  #settle(rest, velocity) {
    const to = rest === 'open' ? this.#extent.width : 0;
    // Who flung it sees it go as quickly.
    const duration = Math.min(settling, Math.max(120, Math.abs(to - this.#offset) / Math.max(Math.abs(velocity), 0.01)));
    if (!to) this.#opened.abort();
    this.#glide(to, duration, () => to || this.#forget());
  }

  #glide(to, duration, ended) {
    const row = this.#row;
    const lasts = prefersReducedMotion() ? 0 : duration;
    row.style.transition = lasts ? `transform ${lasts}ms cubic-bezier(.2, .8, .2, 1)` : '';
    this.#put(to);
    // A transition that is replaced never ends.
    setTimeout(() => this.#row === row && this.#offset === to && !this.#finger?.isClaimed && ended(), lasts);
  }

  /** The row is as it was. */
  #forget() {
    this.#opened.abort();
    if (!this.#row) return;
    // An action that was pressed hands the focus on.
    /** @type {any} */
    const rest = this.#box.matches(':focus-within') && this.#row.querySelector('[part=actions], a[href], button');
    if (rest) rest.focus({ preventScroll: true });
    for (const name of ['transform', 'transition', 'position']) this.#row.style[name] = '';
    this.#box.remove();
    this.#row = null;
  }
}

/**
 * What can't be taken back is done by nothing as quick as a swipe or a key.
 * @param {import('../refreshable-list.js').RowAction} action
 */
export const isSafe = ({ destructive, undo }) => !destructive || Boolean(undo);

/** px/ms over the last moves; a finger that stood still lets go with none. */
function speed(samples, at) {
  const [first, last] = [samples[0], samples.at(-1)];
  return at - last[0] > 50 || last[0] === first[0] ? 0 : (last[1] - first[1]) / (last[0] - first[0]);
}
