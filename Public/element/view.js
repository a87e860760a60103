import { button, icon, make } from './make.js';
import { styles } from './styles.js';

/** In the order of the eye, which is that of Tab and of reading: back, title, buttons. */
const bar = () => make('div', { class: 'bar-content' },
  make('slot', { name: 'start' }),
  make('div', { class: 'titles' }, make('h2', { part: 'heading', tabindex: -1 }), make('p', { part: 'updated' })),
  make('slot', { name: 'end' }),
  button('cancel'),
  button('search', icon(24, 'M10.5 4a6.5 6.5 0 1 1-.01 0Z', 'm15.4 15.4 4.6 4.6')),
  button('refresh', icon(24, 'M19.2 12a7.2 7.2 0 1 1-2.1-5.1l2.1 2.1', 'M19.4 4.4V9h-4.6')));

const gap = () => make('div', { class: 'gap' }, make('div', { part: 'indicator', class: 'indicator', 'aria-hidden': 'true' },
  make('slot', { name: 'indicator' }, icon(24),
    make('span', { class: 'words' }, make('span', { class: 'label' }), make('span', { class: 'note' })))));

const skeleton = () => make('div', { part: 'skeleton', 'aria-hidden': 'true' },
  ...Array.from({ length: 7 }, () => make('p', {}, make('i'), make('i'))));

const content = () => make('div', { part: 'content' },
  make('slot', { name: 'header' }), make('slot'), make('ul', { part: 'rows', role: 'list' }),
  make('slot', { name: 'loading' }, skeleton()));

/** The element's shadow tree, built once, and its pieces: most by the names of their parts. */
export class View {
  /** @type {HTMLElement} */ bar;
  /** @type {HTMLButtonElement} */ refresh;
  /** @type {HTMLButtonElement} */ cancel;
  /** @type {HTMLButtonElement} */ search;
  /** @type {any} */ heading;
  /** @type {HTMLElement} */ updated;
  /** @type {HTMLElement} */ indicator;
  /** @type {HTMLButtonElement} */ news;
  /** @type {any} */ content;
  /** @type {any} */ rows;
  /** @type {HTMLElement} */ skeleton;

  /** @param {ShadowRoot} root */
  constructor(root) {
    root.adoptedStyleSheets = [styles];
    root.append(make('header', { part: 'bar' }, bar(), gap(), button('news')), content(),
      make('p', { role: 'status', class: 'visually-hidden' }));
    for (const piece of root.querySelectorAll('[part]')) this[piece.getAttribute('part')] = piece;
    /** @type {HTMLElement} */ this.gap = root.querySelector('.gap');
    /** @type {HTMLElement} */ this.loading = root.querySelector('[name=loading]');
    this.status = root.querySelector('[role=status]');
    this.cancel.hidden = this.search.hidden = this.news.hidden = true;
    // Till words are here.
    this.refresh.ariaLabel = 'Refresh';
  }

  /** @param {import('../words/words.js').Words} words of the buttons */
  name({ refresh, find }) {
    this.refresh.ariaLabel = this.refresh.title = refresh;
    this.search.ariaLabel = this.search.title = find;
  }

  /** Spoken by screen readers; its element is never replaced. */
  say(text) {
    write(this.status, text);
  }
}

/** Writes only what is new, so that nothing is laid out or spoken twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
