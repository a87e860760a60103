import { isField } from '../element/fields.js';
import { make } from '../element/make.js';

/** What a page's styles call the matches: ::highlight(refreshable-found). */
const highlight = 'refreshable-found';

/**
 * Finds rows, by what the element's attribute `query` says: a button and the key `/` open a field
 * below the bar, the rows are those that say all its words, and the words are marked in them. Of a long list, the server
 * finds them.
 */
export class Find {
  #host;
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  #input = make('input', { type: 'search', part: 'find', enterkeyhint: 'search', autocomplete: 'off', spellcheck: 'false', maxlength: 200 });
  #box = make('div', { class: 'find' }, this.#input);
  #words = [];
  /** As they are typed. */ said = '';
  /** @type {Range[]} */ #marked = [];

  /** @param {HTMLElement} host @param {import('../element/view.js').View} view @param {import('../element/list-renderer.js').ListContext} list */
  constructor(host, view, list) {
    this.#host = host;
    this.#view = view;
    this.#list = list;
    this.#box.hidden = true;
    view.bar.querySelector('.bar-content').after(this.#box);
    view.search.addEventListener('click', () => this.#ask(this.#query === null ? '' : null));
    host.addEventListener('keydown', (event) => this.#keyed(event));
    this.#input.addEventListener('input', () => this.#ask(this.#input.value));
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.#ask(null);
    });
  }

  /** The attribute says something else. */
  update() {
    const query = this.#query;
    this.#box.hidden = query === null;
    this.#input.placeholder = this.#input.ariaLabel = this.#list.words.find;
    if (query !== null && this.#input.value !== query) this.#input.value = query;
    this.said = (query ?? '').trim().replace(/\s+/g, ' ');
    this.#words = folded(this.said).split(' ').filter(Boolean);
  }

  /** Whether a person is typing it. */
  get isTyped() {
    return this.#input.matches(':focus');
  }

  /** @param {boolean} isBusy whether it is yet unknown which rows are found */
  set isBusy(isBusy) {
    this.#box.toggleAttribute('data-busy', isBusy);
  }

  /** Whether words are looked for. */
  get isFinding() {
    return this.#words.length > 0;
  }

  /** Whether people may look for rows: the page offers it, and there are some. */
  get isOffered() {
    return this.#isAllowed && Boolean(this.#list.watch?.replica.count || this.#query !== null);
  }

  /** @param {import('../connection/replica.js').Row[]} rows @returns {import('../connection/replica.js').Row[]} those that say all the words */
  filter(rows) {
    if (!this.#words.length) return rows;
    return rows.filter(({ fields: { link, image, ...fields } }) => {
      const said = folded(Object.values(fields).flat().join('\n'));
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

  get #query() {
    return this.#host.getAttribute('query');
  }

  get #isAllowed() {
    return this.#host.hasAttribute('find');
  }

  #keyed(event) {
    const [target] = event.composedPath();
    if (event.key !== '/' || event.defaultPrevented || !this.#isAllowed) return;
    if (isField(target)) return;
    event.preventDefault();
    this.#ask(this.#query ?? '');
  }

  /** A person looks for something, or for nothing any more: then the button has the focus. */
  #ask(query) {
    if (query === null) this.#host.removeAttribute('query');
    else this.#host.setAttribute('query', query);
    (query === null ? this.#view.search : this.#input).focus();
    this.#list.fire('find', { query });
  }

  /** @param {Text} node @returns {Generator<Range>} */
  *#found(node) {
    // Folded, a letter may be none, or several: from where each of them is.
    const from = [];
    let said = '';
    for (let at = 0; at < node.length; at += 1) {
      for (const letter of folded(node.data[at])) {
        said += letter;
        from.push(at);
      }
    }
    for (const word of this.#words) {
      for (let at = said.indexOf(word); at >= 0; at = said.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, from[at]);
        range.setEnd(node, from[at + word.length - 1] + 1);
        yield range;
      }
    }
  }
}

/** @param {string} text @returns {string} without regard to case and accents, as the server finds it */
function folded(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** @param {Element} list @returns {Generator<any>} its texts */
function* texts(list) {
  const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}
