import { Template } from './template.js';

/** A row where the page has no template of its own. What would be empty is not there: rows are many. */
const template = document.createElement('template');
template.innerHTML = `<li class="row" part="row"><img part="image" alt="" data-field-src="image"><a part="title"
target="_blank" rel="noopener noreferrer" data-field="title|key" data-field-href="link"></a>${['subtitle', 'badge', 'detail']
  .map((name) => `<span part="${name}" data-field="${name}"></span>`).join('')}<time part="time" data-field="time"></time></li>`;

/** A longer detail gets a line of its own. */
const prose = 24;

/** The rows' own layout. */
export class DefaultTemplate extends Template {
  /** @param {string} tag */
  constructor(tag) {
    super(template, tag);
  }

  /** Has nothing in it yet: what a row doesn't say is not kept either. */
  make() {
    return super.make(false);
  }

  draw({ item }, row, words) {
    const pieces = super.make().pieces.map((piece) => item.querySelector(`[part=${piece.part}]`) ?? piece);
    super.draw({ item, pieces }, row, words);
    const names = [];
    let last = null;
    for (const piece of pieces.slice(1)) {
      if (!piece.textContent && !piece.src) {
        piece.remove();
        continue;
      }
      if (piece.parentNode !== item) item.insertBefore(piece, last ? last.nextSibling : item.firstChild);
      last = piece;
      names.push(piece.part.value);
      if (piece.href) names.push('link');
      if (names.at(-1) === 'detail' && piece.textContent.length > prose) names.push('prose');
    }
    item.dataset.parts = names.join(' ');
  }
}
