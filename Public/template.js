import { milliseconds } from './time.js';
import { write } from './view.js';

/** What a row may say of an element, but not what is code; where the attribute is an address, it leads to the web. */
const bound = /^data-field-(?!on|style$|srcdoc$)(.+)/;
const address = /src|href|action|^(poster|data)$/;

/**
 * Rows as a `<template>` says. A page's own is a child of the element:
 *
 *     data-field="author.name"    the field is the element's text; a `<time>` tells it relative to now, a `<data>` as
 *                                 numbers are written in the reader's language
 *     data-field="title|key"      the first of them that is there; `key` is the row's
 *     data-field-href="link"      the field is the value of that attribute: any but code; addresses lead to the web
 *     data-if="badge"             shown where the field is there, and not empty, false or 0
 *     data-unless="badge"         shown where it is not
 *
 * Where a row lacks a field, the template's own text or attribute stays. Where all of a template is one `<li>`, that is
 * the row. Nothing of a row becomes markup or script.
 *
 * @typedef {object} Drawn
 * @property {HTMLLIElement} item a row's element
 * @property {Element[]} [pieces] those in it that fields act on
 * @property {object} [fields] that it shows
 */
export class Template {
  #content;
  /** What fields do to each element that names some. Rows are many: it is read once for all of them. */ #verbs;

  /** @param {HTMLTemplateElement} template */
  constructor({ content }) {
    this.#content = /** @type {DocumentFragment} */ (content.cloneNode(true));
    this.#verbs = bindings(this.#content).map(read);
  }

  /** @returns {Drawn} */
  make() {
    const made = document.importNode(this.#content, true);
    const pieces = bindings(made);
    const [first, second] = made.children;
    const isRow = first?.localName === 'li' && !second;
    const item = /** @type {HTMLLIElement} */ (isRow ? first : document.createElement('li'));
    if (isRow) item.remove();
    else item.append(made);
    return { item, pieces };
  }

  /**
   * Shows a row's fields in its element; what is right already is left alone.
   * @param {Drawn} drawn
   * @param {import('./replica.js').Row} row
   * @param {import('./words.js').Words} words
   */
  draw({ item, pieces }, { key, fields }, words) {
    const said = { key, ...fields };
    pieces.forEach((piece, i) => this.#verbs[i].forEach((act) => act(piece, said, words)));
    item.dataset.key = key;
  }
}

/** Tells a time again, as it is later now. @param {HTMLTimeElement} time @param {import('./words.js').Words} words */
export function tell(time, { ago, full }) {
  const at = Date.parse(time.dateTime);
  write(time, ago(at));
  time.title = full(at);
}

/** The elements that name fields. @param {DocumentFragment} content */
function bindings(content) {
  const pieces = [...content.querySelectorAll(':not(script, style)')];
  return pieces.filter(({ attributes }) => [...attributes].some(({ name }) => /^data-(field|if|unless)/.test(name)));
}

/** The verbs of an element, one for each attribute that names a field. */
function read(piece) {
  if (piece.localName === 'img' && !piece.hasAttribute('loading')) piece.loading = 'lazy';
  return [...piece.attributes].flatMap(({ name, value }) => {
    const act = verb(piece, name, bound.exec(name)?.[1]);
    const paths = value.split('|');
    const found = (fields) => paths.map((path) => field(fields, path)).find((said) => (said ?? '') !== '');
    return act ? [(piece, fields, words) => act(piece, found(fields), words)] : [];
  });
}

function field(fields, path) {
  return fields[path] ?? path.split('.').reduce((value, part) => value?.[part], fields);
}

function verb(piece, name, attribute) {
  if (name === 'data-field') return say(piece.textContent);
  if (name === 'data-if' || name === 'data-unless') return show(name === 'data-if');
  return attribute && set(attribute, piece.getAttribute(attribute));
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
function text(value) {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** @returns {string} the address, if it leads to the web: no scripts, no files, no data */
function web(value) {
  if (!value || typeof value !== 'string' || !URL.canParse(value, document.baseURI)) return '';
  const url = new URL(value, document.baseURI);
  return /^https?:$/.test(url.protocol) ? url.href : '';
}
