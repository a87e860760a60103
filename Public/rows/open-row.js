import { make } from '../element/make.js';
import { milliseconds } from '../words/time.js';
import { Template, text, web } from './template.js';

/** Fields that a row shows in places of their own. */
const placed = new Set(['title', 'subtitle', 'image', 'link', 'time', 'badge', 'detail']);

/**
 * What an open row shows below its lines: all that it was cut short of, its picture, the time in full, and its other fields.
 * A page may have its own in the slot `details`, whose pieces show fields as those of a template do.
 */
export class OpenRow {
  #host;
  #own = make('div', { class: 'details-own' });
  #slot = make('slot', { name: 'details' }, this.#own);
  #box = make('div', { part: 'details' }, this.#slot);
  /** @type {HTMLElement | null} */ #item = null;
  /** Of the page's own content. @type {[Element, Template, any] | null} */ #filled = null;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {HTMLElement} item its element
   * @param {import('../connection/replica.js').Row} row
   * @param {import('../words/words.js').Words} words
   */
  show(item, row, words) {
    if (item !== this.#item) this.hide();
    this.#item = item;
    this.#mark(true);
    // A page's own template has its own place for more.
    const isOurs = item.getRootNode() !== this.#host.getRootNode();
    if (isOurs && this.#box.parentNode !== item) item.append(this.#box);
    this.#own.replaceChildren(...details(row.fields, words));
    for (const element of this.#host.querySelectorAll(':scope > [slot=details]')) this.#fill(element, row, words);
  }

  hide() {
    this.#mark(false);
    this.#box.remove();
    this.#item = null;
  }

  #mark(isOpen) {
    const item = this.#item;
    if (!item) return;
    item.toggleAttribute('data-open', isOpen);
    for (const button of item.querySelectorAll('[aria-expanded]')) button.ariaExpanded = `${isOpen}`;
  }

  /** The element is the model of itself: what it says of its own is kept where a row says nothing. */
  #fill(element, row, words) {
    if (this.#filled?.[0] !== element) {
      const model = document.createElement('template');
      model.content.append(element.cloneNode(true));
      const template = new Template(model, 'div');
      this.#filled = [element, template, template.make()];
    }
    const [, template, drawn] = this.#filled;
    template.draw(drawn, row, words);
    element.replaceChildren(...drawn.item.firstElementChild.cloneNode(true).childNodes);
  }
}

/** @param {any} fields @param {import('../words/words.js').Words} words @returns {Generator<Node>} */
function* details({ badge, detail, image, link, time, ...others }, words) {
  const at = milliseconds(time);
  const picture = web(image);
  const address = web(link);
  if (picture) yield make('img', { part: 'picture', src: picture, alt: '' });
  for (const line of [detail, badge].map(text).filter((said) => said.length > 12)) yield make('p', {}, line);
  if (at !== null) yield make('p', {}, words.full(at));
  if (address) yield make('p', {}, make('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, address));
  const rest = Object.entries(others).filter(([name, value]) => !placed.has(name) && value !== null && value !== '');
  if (!rest.length) return;
  yield make('dl', {}, ...rest.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, written(value, words))]));
}

function written(value, words) {
  if (typeof value === 'number') return words.number(value);
  if (Array.isArray(value) && value.every((one) => text(one))) return value.map(text).join(', ');
  return text(value) || JSON.stringify(value);
}
