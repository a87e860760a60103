import { make } from '../element/make.js';
import { sheet } from '../element/styles.js';
import { write } from '../element/view.js';
import { scrollBehavior } from '../gesture/motion.js';
import { days } from '../words/days.js';
import { dayOf, milliseconds } from '../words/time.js';
import { placeSection, rising, rowsOf } from './row-groups.js';

/** Rows between two yields. */
const atLeast = 100;

const sectionStyles = sheet(`
[part=rows][role=group] { background: none; border-radius: 0; }
.section > .groups { background: var(--rl-surface); border-radius: var(--rl-radius); }
.section .group:first-child .row:first-child { box-shadow: none; }
.section { scroll-margin-block-start: var(--rl-bar); }
.section .row { scroll-margin-block-start: calc(var(--rl-bar) + 44px); }
[part=section] {
  position: sticky; inset-block-start: var(--rl-bar); z-index: 1; padding: 14px 16px 6px; background: var(--rl-background);
  font-size: .8125rem; font-weight: 600; color: var(--rl-quiet); outline: none;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
[part=section]:focus-visible { color: var(--rl-accent); text-decoration: underline; text-underline-offset: 3px; }
@media (forced-colors: active) {
  [part=rows][role=group], [role=group] > .groups { border: 0 !important; }
  .section > .groups { border: 1px solid; }
}
`);

/**
 * The sections of a list whose description has them: consecutive rows that say the same stand below a heading, which stays
 * below the bar while they pass.
 *
 *     ul[role=group] > .groups > .section > h3[part=section]
 *                                         > .groups[role=list] > .group > li
 *
 * A section is known by what its rows say, and by how many before it say the same.
 *
 * @typedef {object} Run consecutive rows of one section
 * @property {HTMLElement} section
 * @property {number} start of its first row
 * @property {number} end behind its last row
 */
export class Sections {
  #rule;
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** By what tells them apart. @type {Map<string, HTMLElement>} */ #sections = new Map();
  /** What each says: a text, or a time. @type {WeakMap<HTMLElement, string | number>} */ #said = new WeakMap();
  /** Those that need not be moved. @type {Set<HTMLElement>} */ #staying = new Set();
  /** Words and day of which headings were told. @type {[object, number] | null} */ #told = null;
  #day = days('en');
  #host;
  #observer = new ResizeObserver(() => this.#measureBar());

  /**
   * @param {{field?: string, day?: string}} rule of the list's description
   * @param {HTMLElement} host
   * @param {import('../element/view.js').View} view
   * @param {import('../element/list-renderer.js').ListContext} list
   */
  constructor(rule, host, view, list) {
    this.#rule = rule;
    this.#host = host;
    this.#view = view;
    this.#list = list;
    const { adoptedStyleSheets } = host.shadowRoot;
    if (!adoptedStyleSheets.includes(sectionStyles)) adoptedStyleSheets.push(sectionStyles);
    host.addEventListener('keydown', this.#keyed);
    this.#observer.observe(view.bar);
    this.#measureBar();
  }

  /** The list has no sections any more, or others. */
  end() {
    this.#host.removeEventListener('keydown', this.#keyed);
    this.#observer.disconnect();
  }

  /** The rows stand in another element. */
  reset() {
    this.#sections.clear();
  }

  /**
   * Finds the section of each row, and makes what is not there yet. Yields wherever it may have been enough for once.
   * @param {Element} list
   * @param {import('../connection/replica.js').Row[]} rows
   * @param {boolean} isFeed
   * @returns {Generator<void, Run[]>} in order
   */
  *divide(list, rows, isFeed) {
    this.#hear();
    const before = this.#sections;
    this.#sections = new Map();
    const runs = [], counts = new Map();
    let last = null;
    for (const [i, { fields }] of rows.entries()) {
      if (i % atLeast === 0) yield;
      const said = this.#say(fields);
      const name = this.#name(said);
      if (last && name === last.name) last.end = i + 1;
      else {
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        const id = `${count} ${name}`;
        const section = before.get(id) ?? this.#make();
        this.#sections.set(id, section);
        this.#said.set(section, said);
        this.#tell(section);
        section.lastElementChild.role = isFeed ? 'feed' : 'list';
        runs.push((last = { name, section, start: i, end: i + 1 }));
      }
    }
    const index = new Map([...list.querySelectorAll('.section')].map((section, i) => [section, i]));
    const stays = rising(runs.map(({ section }) => index.get(section) ?? -1));
    this.#staying = new Set(runs.filter((_, i) => stays.has(i)).map(({ section }) => section));
    return runs;
  }

  /**
   * Puts a section behind another one, or first.
   * @returns {Iterable<HTMLElement>} rows that came along, and so went elsewhere
   */
  place(list, section, previous) {
    if (section.isConnected && this.#staying.has(section)) return [];
    placeSection(list, section, previous);
    return rowsOf(section);
  }

  /** Today has become yesterday, or the words are others. */
  tick() {
    if (this.#hear()) for (const section of this.#sections.values()) this.#tell(section);
  }

  /** @returns {boolean} whether headings are told otherwise than before */
  #hear() {
    const { words } = this.#list;
    const today = dayOf(Date.now());
    if (this.#told?.[0] === words && this.#told[1] === today) return false;
    if (this.#told?.[0] !== words) this.#day = days(words.locale);
    this.#told = [words, today];
    return true;
  }

  #say(fields) {
    const { day, field } = this.#rule;
    if (day) return milliseconds(fields[day]) ?? '';
    return ['string', 'number', 'boolean'].includes(typeof fields[field]) ? String(fields[field]) : '';
  }

  /** @param {string | number} said a time is that of a day */
  #name(said) {
    return typeof said === 'number' ? `${dayOf(said)}` : said;
  }

  /** What says nothing has no heading. */
  #tell(section) {
    const [heading, groups] = section.children;
    const said = this.#said.get(section);
    const name = typeof said === 'number' ? this.#day(said) : said;
    write(heading, name);
    heading.hidden = !name;
    heading.ariaLevel = `${Number(this.#view.heading.ariaLevel ?? 2) + 1}`;
    groups.ariaLabel = name || this.#view.heading.textContent;
  }

  #make() {
    const heading = make('h3', { part: 'section' });
    // In a page's own tree our styles do not reach it.
    if (this.#view.rows.slot) heading.style = 'position: sticky; inset-block-start: var(--rl-bar); z-index: 1; background: var(--refreshable-background, Canvas)';
    return make('div', { class: 'section' }, heading, make('div', { class: 'groups' }));
  }

  #measureBar() {
    this.#view.content.style.setProperty('--rl-bar', `${this.#view.bar.offsetHeight}px`);
  }

  /** Alt and an arrow lead to the next heading, or to the one before. */
  #keyed = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const [origin] = event.composedPath();
    if (origin.matches?.('input, textarea, select')) return;
    const headings = [...this.#view.rows.querySelectorAll('.section > [part=section]')].filter(({ hidden }) => !hidden);
    // From one heading to the next, even while the list still scrolls there; else from what is in view.
    const at = headings.indexOf(origin);
    const heading = headings[at < 0 ? this.#next(headings, step) : at + step];
    if (!heading) return;
    event.preventDefault();
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.parentNode.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  };

  /** The heading that is next below the top of the view, or above it. */
  #next(headings, step) {
    const fold = this.#view.bar.getBoundingClientRect().bottom;
    const tops = headings.map(({ parentNode }) => parentNode.getBoundingClientRect().top - fold);
    return step > 0 ? tops.findIndex((top) => top > 1) : tops.findLastIndex((top) => top < -1);
  }
}
