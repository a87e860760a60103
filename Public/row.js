import { Template } from './template.js';

/** A row where the page has no template of its own. What would be empty is not there: rows are many. */
const template = document.createElement('template');
template.innerHTML = `<li class="row" part="row"><img part="image" alt="" data-field-src="image"><a part="title"
target="_blank" rel="noopener noreferrer" data-field="title|key" data-field-href="link"></a>${['subtitle', 'badge', 'detail']
  .map((name) => `<span part="${name}" data-field="${name}"></span>`).join('')}<time part="time" data-field="time"></time></li>`;

/** A longer detail gets a line of its own. */
const prose = 24;

/** The rows' own layout. */
export class Layout extends Template {
  /** All that a row may have. @type {WeakMap<HTMLLIElement, Element[]>} */ #parts = new WeakMap();

  constructor() {
    super(template);
  }

  make() {
    const item = super.make();
    this.#parts.set(item, [...item.children]);
    return item;
  }

  draw(item, row, words) {
    super.draw(item, row, words);
    const names = [];
    let last = null;
    for (const part of this.#parts.get(item)) {
      if (!part.textContent && !part.src) {
        part.remove();
        continue;
      }
      if (last && !part.parentNode) last.after(part);
      else if (!part.parentNode) item.prepend(part);
      last = part;
      names.push(part.getAttribute('part'));
      if (part.href) names.push('link');
      if (names.at(-1) === 'detail' && part.textContent.length > prose) names.push('prose');
    }
    item.dataset.parts = names.join(' ');
  }
}
