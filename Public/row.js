import { milliseconds } from './time.js';

/** The parts of a row, each a small verb from fields to an element; a field that isn't there has none. */
const parts = {
  image: ({ image }) => web(image) && element('img', { src: web(image), alt: '', loading: 'lazy' }),
  title: ({ title, link }, key) => titled(text(title) || key, web(link)),
  subtitle: ({ subtitle }) => worded(subtitle),
  badge: ({ badge }) => worded(badge),
  detail: ({ detail }) => worded(detail),
  time: ({ time }, _, words) => milliseconds(time) !== null && timed(milliseconds(time), words),
};

/**
 * Shows a row's fields in its element; what is right already is left alone.
 * @param {HTMLLIElement} item
 * @param {import('./replica.js').Row} row
 * @param {import('./words.js').Words} words
 */
export function draw(item, { key, fields }, words) {
  const old = new Map([...item.children].map((child) => [child.getAttribute('part'), child]));
  const names = [];
  for (const [name, make] of Object.entries(parts)) {
    const made = make(fields, key, words);
    if (made) names.push(name, ...kind(name, made));
    mend(item, old.get(name), made, name);
  }
  item.dataset.key = key;
  item.dataset.parts = names.join(' ');
}

/** What the looks of a row depend on: whether it leads somewhere, and whether a detail is long enough for a line. */
function kind(name, { localName, textContent }) {
  if (localName === 'a') return ['link'];
  return name === 'detail' && textContent.length > 24 ? ['prose'] : [];
}

/** Tells a time again, as it is later now. @param {HTMLTimeElement} time @param {import('./words.js').Words} words */
export function tell(time, { ago, full }) {
  const at = Date.parse(time.dateTime);
  const said = ago(at);
  if (time.textContent === said) return;
  time.textContent = said;
  time.title = full(at);
}

function mend(item, old, made, name) {
  if (!made) return old?.remove();
  made.setAttribute('part', name);
  if (!old) return item.append(made);
  if (old.isEqualNode(made)) return;
  // A link may hold the focus.
  if (old.localName !== 'a' || made.localName !== 'a') return old.replaceWith(made);
  old.href = made.href;
  old.textContent = made.textContent;
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function worded(value) {
  return text(value) && element('span', { textContent: text(value), dir: 'auto' });
}

function titled(textContent, href) {
  const link = href && { href, target: '_blank', rel: 'noopener noreferrer' };
  return element(href ? 'a' : 'span', { textContent, dir: 'auto', ...link });
}

function timed(time, words) {
  const made = element('time', { dateTime: new Date(time).toISOString() });
  tell(made, words);
  return made;
}

/** A field as text; what is no text, number or truth value is not shown. */
function text(value) {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** @returns {string} the address, if it leads to the web: no scripts, no files, no data */
function web(value) {
  if (typeof value !== 'string' || !URL.canParse(value, document.baseURI)) return '';
  const url = new URL(value, document.baseURI);
  return /^https?:$/.test(url.protocol) ? url.href : '';
}
