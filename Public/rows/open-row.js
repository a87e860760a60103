import { make } from '../element/make.js';
import { scrollBehavior } from '../gesture/motion.js';
import { milliseconds } from '../words/time.js';
import { Template, text, web } from './template.js';

/** What a tap means something else on. */
const others = 'a[href], button, input, select, [part=details], [slot=details]';

/**
 * The row that is open, which the element's attribute `open-row` names: opened and closed by tap and by keys. Below its lines
 * it shows its picture, the time in full, and its other fields. A page may have its own in the slot `details`, whose pieces
 * show fields as those of a template do.
 */
export class OpenRow {
  #host;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  #elementOf;
  #own = make('div', { class: 'details-own' });
  #box = make('div', { part: 'details' }, make('slot', { name: 'details' }, this.#own));
  /** @type {HTMLElement | null} */ #item = null;
  /** Of the page's own content. @type {[Element, Template, import('./template.js').Drawn] | null} */ #filled = null;

  /**
   * @param {HTMLElement} host
   * @param {import('../element/list-renderer.js').ListContext} list
   * @param {(key: string) => HTMLElement | undefined} elementOf a row's element, where it is drawn
   */
  constructor(host, list, elementOf) {
    this.#host = host;
    this.#list = list;
    this.#elementOf = elementOf;
    // Rows may stand in the page's own tree.
    host.addEventListener('click', (event) => this.#clicked(event));
    host.addEventListener('keydown', (event) => this.#keyed(event));
  }

  /** The attribute names another row. */
  open() {
    this.update();
    this.#item?.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
  }

  /** Shows the row as it is now, if it is there. */
  update() {
    const key = this.#key;
    const item = key === null ? undefined : this.#elementOf(key);
    const row = item && this.#list.watch?.replica.rows.find((one) => one.key === key);
    if (row) this.#show(item, row);
    else this.#hide();
  }

  get #key() {
    return this.#host.getAttribute('open-row');
  }

  #show(item, row) {
    const { words } = this.#list;
    if (item !== this.#item) this.#hide();
    this.#item = item;
    this.#mark(true);
    // A page's own template has its own place for more.
    const isOurs = item.getRootNode() !== this.#host.getRootNode();
    if (isOurs && this.#box.parentNode !== item) item.append(this.#box);
    this.#own.replaceChildren(...details(row.fields, words));
    for (const element of this.#host.querySelectorAll(':scope > [slot=details]')) this.#fill(element, row, words);
  }

  #hide() {
    this.#mark(false);
    this.#box.remove();
    this.#item = null;
  }

  #mark(isOpen) {
    this.#item?.toggleAttribute('data-open', isOpen);
    for (const button of this.#item?.querySelectorAll('[aria-expanded]') ?? []) button.ariaExpanded = `${isOpen}`;
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

  #clicked(event) {
    if (event.defaultPrevented || getSelection()?.type === 'Range') return;
    const path = event.composedPath();
    const item = path.find((node) => node.dataset?.key !== undefined);
    const pressed = path.find((node) => node.matches?.(others));
    if (!item?.querySelector('[aria-expanded]') || (pressed && pressed.part?.value !== 'disclosure')) return;
    this.#toggle(item.dataset.key);
  }

  #keyed(event) {
    const [target] = event.composedPath();
    const item = target.closest?.('[data-key]');
    if (!item || event.defaultPrevented) return;
    const isOpening = /^(Enter| )$/.test(event.key) && target.role === 'button';
    const isClosing = event.key === 'Escape' && item.dataset.key === this.#key;
    if (!isOpening && !isClosing) return;
    event.preventDefault();
    this.#toggle(item.dataset.key);
  }

  /** A person opens a row, or closes it. */
  #toggle(key) {
    const { fire } = this.#list;
    if (key === this.#key) return fire('rowclose', { key }, true) && this.#host.removeAttribute('open-row');
    if (fire('rowopen', { key }, true)) this.#host.setAttribute('open-row', key);
  }
}

/** @param {any} fields @param {import('../words/words.js').Words} words @returns {Generator<Node>} */
function* details({ title, subtitle, badge, detail, image, link, time, section, ...rest }, words) {
  const at = milliseconds(time);
  const picture = web(image);
  const address = web(link);
  if (picture) yield make('img', { part: 'picture', src: picture, alt: '' });
  if (at !== null) yield make('p', {}, words.full(at));
  if (address) yield make('p', {}, make('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, address));
  const named = Object.entries(rest).filter(([, value]) => value !== null && value !== '');
  if (!named.length) return;
  yield make('dl', {}, ...named.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, written(value, words))]));
}

function written(value, words) {
  if (typeof value === 'number') return words.number(value);
  if (Array.isArray(value) && value.every((one) => text(one))) return value.map(text).join(', ');
  return text(value) || JSON.stringify(value);
}
