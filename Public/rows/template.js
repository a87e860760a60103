import { make } from '../element/make.js';
import { milliseconds } from '../words/time.js';
import { write } from '../element/view.js';

/** What a row may say of an element, but not what is code; where the attribute is an address, it leads to the web. */
const bound = /^data-field-(?!on|style$|srcdoc$)(.+)/;
const address = /src|href|action|^(poster|data)$/;

/** What opens a row: its title, or where that is a link a button beside it. */
const opening = { role: 'button', tabindex: 0, 'aria-expanded': 'false' };

/** A row where the page has no template of its own. What would be empty is not there: rows are many. */
const defaultMarkup = document.createElement('template');
defaultMarkup.content.append(make('li', { class: 'row', part: 'row' },
  make('img', { part: 'image', alt: '', 'data-field-src': 'image' }),
  make('a', { part: 'title', target: '_blank', rel: 'noopener noreferrer', 'data-field': 'title|key', 'data-field-href': 'link' }),
  ...['subtitle', 'badge', 'detail'].map((name) => make('span', { part: name, 'data-field': name })),
  make('time', { part: 'time', 'data-field': 'time' })));

/** A longer detail gets a line of its own. Characters. */
const prose = 24;
/** A longer line may take more than the lines that it has, of wide letters on a small screen: such is laid out to be cut short. */
const short = 18;
/** A longer title or subtitle may be cut short even of narrow letters on a large screen. Characters. */
const long = 48;

/**
 * Renders rows by a `<template>`. A page's own is a child of the element:
 *
 *     data-field="author.name"    the field is the element's text; a `<time>` tells it relative to now, a `<data>` as
 *                                 numbers are written in the reader's language
 *     data-field="title|key"      the first of them that is there; `key` is the row's
 *     data-field-href="link"      the field is the value of that attribute: any but code; addresses lead to the web
 *     data-if="badge"             shown where the field is there, and not empty, false or 0
 *     data-unless="badge"         shown where it is not
 *
 * If a row lacks a field, the template's own text or attribute is kept. Where all of a template is one `<li>`, that is
 * the row, or an `<article>` like it in a list that loads more. Nothing of a row becomes markup or script.
 *
 * @typedef {object} Drawn
 * @property {HTMLElement} item a row's element
 * @property {Element[]} pieces it and those in it
 * @property {object} [fields] that it shows
 */
export class Template {
  #row;
  /** What fields do to each piece. Rows are many: it is read once for all of them. */ #verbs;

  /** @param {HTMLTemplateElement} template @param {string} tag of rows */
  constructor({ content }, tag) {
    const [own, other] = content.children;
    const isRow = own?.localName === 'li' && !other;
    const row = (this.#row = content.ownerDocument.createElement(tag));
    for (const { name, value } of isRow ? own.attributes : []) row.setAttribute(name, value);
    row.append(...(isRow ? own : content).cloneNode(true).childNodes);
    this.#verbs = pieces(row).map(read);
  }

  /** @param {boolean} [isWhole] or but its shell @returns {Drawn} */
  make(isWhole = true) {
    const item = document.importNode(this.#row, isWhole);
    return { item, pieces: pieces(item) };
  }

  /**
   * Shows a row's fields in its element; what is right already is left alone.
   * @param {Drawn} drawn
   * @param {import('../connection/replica.js').Row} row
   * @param {import('../words/words.js').Words} words
   */
  draw({ item, pieces }, { key, fields }, words) {
    const said = { key, ...fields };
    pieces.forEach((piece, i) => piece && this.#verbs[i].forEach((act) => act(piece, said, words)));
    item.dataset.key = key;
  }
}

/** The rows' own layout. */
export class DefaultTemplate extends Template {
  /** What a row may have in it. @type {Element[]} */ #models;
  /** The fields of each. @type {string[][]} */ #fields;
  /** Of each, one that no row has. @type {(Element | undefined)[]} */ #spare = [];

  /** @param {string} tag */
  constructor(tag) {
    super(defaultMarkup, tag);
    this.#models = super.make().pieces;
    this.#fields = this.#models.map((model) => ['data-field', 'data-field-src'].flatMap((name) => model.getAttribute(name)?.split('|') ?? []));
  }

  /** Has nothing in it yet: what a row doesn't say is not kept either. */
  make() {
    return super.make(false);
  }

  draw({ item, pieces }, row, words) {
    if (item.dataset.broken) showImageAgain(item);
    for (const i of this.#models.keys()) pieces[i] ??= this.#piece(i, row);
    super.draw({ item, pieces }, row, words);
    const names = [];
    let last = null, isLong = false;
    for (const [i, piece] of pieces.entries()) {
      if (i === 0 || !piece) continue;
      if (!piece.textContent && !piece.src) {
        piece.remove();
        this.#spare[i] = piece;
        pieces[i] = undefined;
        continue;
      }
      if (piece.parentNode !== item) item.insertBefore(piece, last ? last.nextSibling : item.firstChild);
      last = piece;
      const name = this.#models[i].getAttribute('part');
      names.push(name);
      if (piece.href) names.push('link');
      const { length } = piece.textContent;
      if (name === 'detail' && length > prose) names.push('prose');
      if (length > short) isLong = true;
    }
    if (isLong) names.push('long');
    if (hasMore(row.fields)) names.push(offer(item, pieces[2], words));
    else if (item.dataset.parts?.match(/opens|disclosure/)) withdraw(item, pieces[2]);
    item.dataset.parts = names.join(' ');
  }

  /** One that no row has, if this one may want it: rows are many, and most have few of them. */
  #piece(i, { key, fields }) {
    if (!this.#fields[i].some((name) => ({ key, ...fields })[name] !== undefined)) return undefined;
    const piece = this.#spare[i] ?? /** @type {Element} */ (this.#models[i].cloneNode(true));
    this.#spare[i] = undefined;
    for (const name of Object.keys(opening)) piece.removeAttribute(name);
    return piece;
  }
}

/** Lets people open a row. @returns {string} what the row is called for it */
function offer(item, title, words) {
  if (!title.href) {
    withdraw(item, title);
    for (const name of Object.keys(opening)) title.setAttribute(name, opening[name]);
    return 'opens';
  }
  for (const name of Object.keys(opening)) title.removeAttribute(name);
  if (!item.querySelector('[part=disclosure]')) {
    item.append(make('button', { part: 'disclosure', type: 'button', 'aria-expanded': 'false', 'aria-label': words.details }));
  }
  return 'disclosure';
}

function withdraw(item, title) {
  for (const name of Object.keys(opening)) title.removeAttribute(name);
  item.querySelector('[part=disclosure]')?.remove();
}

/** Whether a badge or a short detail is seen whole on any screen. @param {string} said */
const isBrief = (said) => said.length <= 12;

/** Whether a row may have more than is seen of it. */
function hasMore({ title = '', subtitle = '', badge = '', detail = '', link, image, time, section, ...others }) {
  const isCut = [title, subtitle].some((line) => line.length > long) || [badge, detail].some((said) => !isBrief(`${said}`));
  return isCut || Boolean(!link && (image || time)) || Object.keys(others).length > 0;
}

/** Puts a quiet shape in the place of an image that can't be had. @param {HTMLImageElement} image of a row of ours */
export function hideBrokenImage(image) {
  // @ts-ignore: a row is of HTML.
  image.parentNode.dataset.broken = 'image';
  image.replaceWith(make('span', { part: 'image' }));
}

function showImageAgain(item) {
  item.querySelector('span[part=image]').remove();
  delete item.dataset.broken;
}

/** The page's own. @param {Element} host @returns {HTMLTemplateElement | null} */
export const templateOf = (host) => host.querySelector(':scope > template');

/** Tells a time again, as it is later now. @param {HTMLTimeElement} time @param {import('../words/words.js').Words} words */
export function tell(time, { ago, full }) {
  const at = Date.parse(time.dateTime);
  write(time, ago(at));
  time.title = full(at);
}

/** A row and all in it that fields may act on. @param {HTMLElement} row */
const pieces = (row) => [row, ...row.querySelectorAll(':not(script, style)')];

/** The verbs of an element like this one, one for each attribute that names a field. */
function read(model) {
  if (model.localName === 'img' && !model.hasAttribute('loading')) model.loading = 'lazy';
  return [...model.attributes].flatMap(({ name, value }) => {
    const act = verb(model, name, bound.exec(name)?.[1]);
    const paths = value.split('|');
    const found = (fields) => paths.map((path) => field(fields, path)).find((said) => (said ?? '') !== '');
    return act ? [(piece, fields, words) => act(piece, found(fields), words)] : [];
  });
}

function field(fields, path) {
  return fields[path] ?? path.split('.').reduce((value, part) => value?.[part], fields);
}

function verb(model, name, attribute) {
  if (name === 'data-field') return say(model.textContent);
  if (name === 'data-if' || name === 'data-unless') return show(name === 'data-if');
  return attribute && set(attribute, model.getAttribute(attribute));
}

const say = (otherwise) => (piece, value, words) => {
  const time = piece.localName === 'time' ? milliseconds(value) : null;
  const number = piece.localName === 'data' && typeof value === 'number';
  piece.removeAttribute('datetime');
  if (number) piece.value = value;
  if (time === null) return write(piece, number ? words.number(value) : text(value) || otherwise);
  piece.dateTime = new Date(time).toISOString();
  tell(piece, words);
};

const show = (isWanted) => (piece, value) => {
  const isThere = Boolean(value) && value.length !== 0;
  // A page's own styles may show what is only `hidden`.
  piece.style.display = isThere === isWanted ? '' : 'none';
};

const set = (name, otherwise) => (piece, value) => {
  const isOff = value === false && !name.startsWith('aria-');
  const said = (!isOff && (address.test(name) ? web : text)(value)) || otherwise;
  if (said === null) piece.removeAttribute(name);
  else if (piece.getAttribute(name) !== said) piece.setAttribute(name, said);
};

/** A field as text; what is no text, number or truth value is not shown. */
export function text(value) {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** @returns {string} the address, if it leads to the web: no scripts, no files, no data */
export function web(value) {
  // @ts-ignore: older compilers do not know URL.canParse.
  if (!value || typeof value !== 'string' || !URL.canParse(value, document.baseURI)) return '';
  const url = new URL(value, document.baseURI);
  return /^https?:$/.test(url.protocol) ? url.href : '';
}
