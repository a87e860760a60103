import { isField } from '../element/fields.js';

/** A key that scrolls to an end of the list moves it within so long. Milliseconds. */
const soon = 300;

/** @typedef {'start' | 'end'} End */

/** @param {KeyboardEvent} event @returns {End | null} where browsers scroll to by it */
function endOf({ key, metaKey, altKey, shiftKey }) {
  if (altKey || shiftKey) return null;
  if (key === 'Home' || (metaKey && key === 'ArrowUp')) return 'start';
  return key === 'End' || (metaKey && key === 'ArrowDown') ? 'end' : null;
}

/** Remembers a key that scrolls to the start or the end of the list, such as Home, until the list moves by it. */
export class EndKeys {
  /** @type {End | null} */ #end = null;
  /** When it was pressed, as `performance.now()` counts. */ #at = 0;

  listen() {
    addEventListener('keydown', this.#pressed);
  }

  stop() {
    removeEventListener('keydown', this.#pressed);
  }

  /** To be asked when the list moves: then the key is forgotten. @returns {End | null} the end that it was pressed for */
  take() {
    const end = this.#end;
    this.#end = null;
    return performance.now() - this.#at < soon ? end : null;
  }

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    // In a field it moves the caret.
    this.#end = event.defaultPrevented || isField(event.composedPath()[0]) ? null : endOf(event);
    this.#at = event.timeStamp;
  };
}
