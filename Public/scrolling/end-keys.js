/** A key that leads to an end of the list moves it within so long. Milliseconds. */
const soon = 300;
/** In them it moves the caret. */
const fields = 'input, textarea, select, [contenteditable]';

/** @typedef {'start' | 'end'} End */

/** @param {KeyboardEvent} event @returns {End | null} where browsers scroll to by it */
function endOf({ key, metaKey, altKey, shiftKey }) {
  if (altKey || shiftKey) return null;
  if (key === 'Home' || (metaKey && key === 'ArrowUp')) return 'start';
  return key === 'End' || (metaKey && key === 'ArrowDown') ? 'end' : null;
}

/** Knows whether a list that moves does so by a key that leads to one of its ends. */
export class EndKeys {
  /** @type {End | null} */ #end = null;
  /** When it was pressed, as `performance.now()` counts. */ #at = 0;

  listen() {
    addEventListener('keydown', this.#pressed);
  }

  stop() {
    removeEventListener('keydown', this.#pressed);
  }

  /** The list moves. @returns {End | null} the end that a key leads to: said once */
  moved() {
    const end = this.#end;
    this.#end = null;
    return performance.now() - this.#at < soon ? end : null;
  }

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    const target = /** @type {Element} */ (event.composedPath()[0]);
    this.#end = event.defaultPrevented || target.matches?.(fields) ? null : endOf(event);
    this.#at = event.timeStamp;
  };
}
