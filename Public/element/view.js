import { styles } from './styles.js';

/** An icon of strokes on a square. */
export const icon = (size, strokes) => `<svg viewBox="0 0 ${size} ${size}" aria-hidden="true">${strokes}</svg>`;
const again = icon(24, '<path d="M19.2 12a7.2 7.2 0 1 1-2.1-5.1l2.1 2.1"/><path d="M19.4 4.4V9h-4.6"/>');

const markup = `
<header part="bar"><div class="bar-content">
  <button part="refresh" type="button" aria-label="Refresh">${again}</button>
  <button part="cancel" type="button" hidden></button>
  <slot name="start"></slot>
  <div class="titles"><h2 part="heading" tabindex="-1"></h2><p part="updated"></p></div>
</div>
<div class="gap"><div part="indicator" class="indicator" aria-hidden="true"><slot name="indicator">
  ${icon(24, '')}<span class="words"><span class="label"></span><span class="note"></span></span>
</slot></div></div><button part="news" type="button" hidden></button></header>
<div part="content">
  <slot name="header"></slot>
  <slot></slot><ul part="rows" role="list"></ul>
  <slot name="loading"><div part="skeleton" aria-hidden="true">${'<p><i></i><i></i></p>'.repeat(7)}</div></slot>
</div>
<p role="status" class="visually-hidden"></p>`;

/** The element's shadow tree, built once, and its pieces: most by the names of their parts. */
export class View {
  /** @type {HTMLElement} */ bar;
  /** @type {HTMLButtonElement} */ refresh;
  /** @type {HTMLButtonElement} */ cancel;
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
    root.innerHTML = markup;
    for (const piece of root.querySelectorAll('[part]')) this[piece.getAttribute('part')] = piece;
    /** @type {HTMLElement} */ this.gap = root.querySelector('.gap');
    /** @type {HTMLElement} */ this.loading = root.querySelector('[name=loading]');
    this.status = root.querySelector('[role=status]');
  }

  /** @param {import('../words/words.js').Words} words of the buttons */
  name({ refresh, cancel }) {
    this.refresh.ariaLabel = this.refresh.title = refresh;
    write(this.cancel, cancel);
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
