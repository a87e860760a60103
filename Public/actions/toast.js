import { button, make } from '../element/make.js';
import { write } from '../element/view.js';

/** A toast that was hovered or focused stays a moment longer; one that goes fades with its words. Milliseconds. */
const [leaving, fading] = [1500, 200];

/**
 * Says at the bottom of the list what became of an act, with one button. What it shows is replaced by what is newer; the
 * text is spoken, and its element is never replaced.
 */
export class Toast {
  /** @type {any} */ #text = make('p', { role: 'status' });
  #button = button('undo');
  #box = make('div', { part: 'toast' }, this.#text, this.#button);
  #timer = 0;
  /** By performance.now(): when it may go. */ #until = 0;
  /** @type {(() => void) | null} */ #pressed = null;
  #gone = () => {};

  /** @param {ShadowRoot} root */
  constructor(root) {
    root.append(make('div', { class: 'toasts' }, this.#box));
    this.#button.hidden = true;
    this.#button.addEventListener('click', () => this.#pressed?.());
    for (const name of ['pointerleave', 'focusout']) this.#box.addEventListener(name, () => this.#wait(leaving));
  }

  /**
   * @param {string} text @param {number} duration milliseconds
   * @param {{label: string, pressed: () => void} | null} offer
   * @param {() => void} gone called once it is hidden because its time is over
   */
  show(text, duration, offer, gone = () => {}) {
    this.#pressed = offer?.pressed ?? null;
    this.#gone = gone;
    write(this.#text, text);
    write(this.#button, offer?.label ?? '');
    this.#button.hidden = !offer;
    this.#show(true);
    this.#until = performance.now() + duration;
    this.#wait(duration);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#pressed = null;
    this.#show(false);
    this.#timer = setTimeout(() => {
      write(this.#text, '');
      this.#button.hidden = true;
    }, fading);
  }

  /** Whether the focus is in it. */
  get hasFocus() {
    return this.#box.matches(':focus-within');
  }

  #show(isShown) {
    this.#box.classList.toggle('shown', isShown);
  }

  #wait(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#box.matches(':hover, :focus-within')) return;
      this.hide();
      this.#gone();
    }, Math.max(delay, this.#until - performance.now()));
  }
}
