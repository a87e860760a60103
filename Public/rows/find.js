import { make } from '../element/make.js';

/** What a page's styles call the matches: ::highlight(refreshable-found). */
const highlight = 'refreshable-found';

/**
 * Finds rows among those that are loaded: a field below the bar, the rows that say all its words, and the words marked in them.
 */
export class Find {
  #input = make('input', { type: 'search', part: 'find', enterkeyhint: 'search', autocomplete: 'off', spellcheck: 'false' });
  #box = make('div', { class: 'find' }, this.#input);
  #words = [];
  /** @type {Range[]} */ #marked = [];

  /** @param {HTMLElement} bar it stands in @param {(query: string | null) => void} changed null: nothing is looked for any more */
  constructor(bar, changed) {
    bar.querySelector('.bar-content').after(this.#box);
    this.#input.addEventListener('input', () => changed(this.#input.value));
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      changed(null);
    });
  }

  /** @param {string | null} query null: the field is put away @param {string} label */
  set(query, label) {
    this.#box.hidden = query === null;
    this.#input.placeholder = this.#input.ariaLabel = label;
    if (query !== null && this.#input.value !== query) this.#input.value = query;
    this.#words = (query ?? '').toLocaleLowerCase().split(/\s+/).filter(Boolean);
  }

  focus() {
    this.#input.focus();
  }

  /** @param {import('../connection/replica.js').Row[]} rows @returns {import('../connection/replica.js').Row[]} those that say all the words */
  filter(rows) {
    if (!this.#words.length) return rows;
    return rows.filter(({ key, fields }) => {
      const said = Object.values({ key, ...fields }).flat().join('\n').toLocaleLowerCase();
      return this.#words.every((word) => said.includes(word));
    });
  }

  /** Marks the words in what is shown, where the browser can. @param {Element} list */
  mark(list) {
    if (!('Highlight' in globalThis)) return;
    this.unmark();
    for (const node of this.#words.length ? texts(list) : []) this.#marked.push(...this.#found(node));
    // Other lists of the page have theirs.
    const all = CSS.highlights.get(highlight) ?? new Highlight();
    for (const range of this.#marked) all.add(range);
    CSS.highlights.set(highlight, all);
  }

  /** The rows are no longer shown. */
  unmark() {
    for (const range of this.#marked) CSS.highlights.get(highlight).delete(range);
    this.#marked = [];
  }

  /** @param {Text} node @returns {Generator<Range>} */
  *#found(node) {
    const said = node.data.toLocaleLowerCase();
    for (const word of said.length === node.length ? this.#words : []) {
      for (let at = said.indexOf(word); at >= 0; at = said.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        yield range;
      }
    }
  }
}

/** @param {Element} list @returns {Generator<any>} its texts */
function* texts(list) {
  const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}
