import { Template } from './template.js';

/** A row where the page has no template of its own. What is empty is not seen. */
const template = document.createElement('template');
template.innerHTML = `<li class="row" part="row"><img part="image" alt="" data-field-src="image"><a part="title"
target="_blank" rel="noopener noreferrer" data-field="title|key" data-field-href="link"></a>${['subtitle', 'badge', 'detail']
  .map((name) => `<span part="${name}" data-field="${name}"></span>`).join('')}<time part="time" data-field="time"></time></li>`;

/** A longer detail gets a line of its own. */
const prose = 24;

/** The rows' own layout. */
export class Layout extends Template {
  constructor() {
    super(template);
  }

  draw(item, row, words) {
    super.draw(item, row, words);
    const parts = [...item.children].filter(({ textContent, src }) => textContent || src);
    const names = parts.map((part) => part.getAttribute('part'));
    if (item.querySelector('a[href]')) names.push('link');
    if (item.children[4].textContent.length > prose) names.push('prose');
    item.dataset.parts = names.join(' ');
  }
}
