import { ScrollAnchor } from '../scrolling/scroll-anchor.js';
import { animateChanges } from './row-animations.js';
import { make } from '../element/make.js';
import { detach, groupsOf, measure, placeRow, rising, rowsOf } from './row-groups.js';
import { rowStyles } from './row-styles.js';
import { isAtTop } from '../gesture/scroller.js';
import { DefaultTemplate, Template, hideBrokenImage, tell, templateOf } from './template.js';

/** More changes than this, or rows, and nothing is animated: it could not be followed by eye. */
const followable = { changes: 30, rows: 400 };
/** Many rows are worked off in slices of so many ms, each of at least so many rows. */
const slice = 4, atLeast = 24;
/** The same of another part of the list, a slice in each frame: to lay it out takes longer still. The ms where rows are all that is in view. */
const unhurried = 2, fewer = 6;

/**
 * The rows on the screen, kept in step with a list by key: elements are moved and updated, never replaced, so that
 * focus, selection and pictures live on. While a reader moves the list, rows stay; what came meanwhile comes at once
 * afterwards.
 *
 * @typedef {object} Reader the viewer of the rows
 * @property {() => import('../connection/replica.js').Row[]} rows of the list now, in order
 * @property {() => Element} scroller
 * @property {() => boolean} isMoving whether rows must stay
 * @property {() => import('../scrolling/virtualizer.js').Virtualizer | null} virtualizer has them, of a list that is not here as a whole
 * @property {() => void} drawn called when the rows are those of the list
 * @property {(count: number) => void} missed called with the number of new rows above the view
 * @property {import('../words/words.js').Words} words
 */
export class Rows {
  #view;
  #list;
  /** Where rows stand without a template. */ #ours;
  /** @type {Reader} */ #reader;
  /** What divides the rows. @type {import('./sections.js').Sections | null} */ #sections = null;
  /** @type {import('./template.js').Template} what makes and draws rows */ #template = new DefaultTemplate('li');
  /** Of a feed; 0: it is a list. */ #size = 0;
  /** @type {Map<string, import('./template.js').Drawn>} */ #drawn = new Map();
  /** What is left to do of a rendering. @type {Iterator<void> | null} */ #work = null;
  /** Keeps what is in view where it is; null: new rows may push it down. @type {Element | null} */ #scroller = null;
  /** @type {{isFirst: boolean, isOwn: boolean, isLook: boolean} | null} */ #next = null;
  /** Whether another part of the list is being drawn. */ #isLook = false;
  /** Whether rows are all that is in view. */ #isCovered = true;
  #timer = 0;
  #frame = 0;
  /** Of a row, where there are so many that those out of view are skipped. px */ #height = 0;
  #isLong = false;
  /** What rows in view stand in, since it was last looked. @type {Set<Element>} */ #held = new Set();
  /** Whether it has been drawn as that. */ #isDrawn = true;
  /** What the scrolling of the last slice has left over. px */ #remainder = 0;
  /** New rows above the view that were not reported yet. */ #missed = 0;
  /** What the slice under way made, redrew, and put elsewhere. */
  /** @type {HTMLElement[]} */ #fresh = [];
  /** @type {HTMLElement[]} */ #changed = [];
  /** @type {Set<HTMLElement>} */ #moved = new Set();

  /** @param {import('../element/view.js').View} view @param {Reader} reader */
  constructor(view, reader) {
    this.#view = view;
    this.#list = this.#ours = view.rows;
    this.#reader = reader;
    const root = this.#ours.getRootNode();
    root.adoptedStyleSheets.push(rowStyles);
    // What was out of view has not been told since.
    root.addEventListener('contentvisibilityautostatechange', ({ target }) => target.className === 'group' && this.#tell(target), true);
    root.addEventListener('error', ({ target }) => target.getRootNode() === root && hideBrokenImage(target), true);
    this.#ours.after(make('slot', { name: 'rows' }));
  }

  /**
   * Shows the list's rows as they are now: at once where little is new, else bit by bit.
   * @param {boolean} isFirst of another list than before: nothing is kept in its place
   * @param {boolean} isOwn the reader asked for them: at the top they see the new ones
   * @param {boolean} [isLook] another part of the list: what comes into it is not new, and what goes is not gone
   */
  render(isFirst, isOwn, isLook = false) {
    this.#next = { isFirst, isOwn: isOwn || Boolean(this.#next?.isOwn), isLook: isLook || Boolean(this.#next?.isLook) };
    if (isFirst) this.#stopWaiting();
    else if (this.#timer || this.#frame) return;
    if (isLook && !document.hidden) this.#nextFrame();
    else this.#go();
  }

  /**
   * Rows look as a page's own template says, and stand in a list among its own elements, where its styles and listeners
   * reach them; without one they are ours.
   */
  applyTemplate() {
    const [holder, tag] = this.#size ? ['div', 'article'] : ['ul', 'li'];
    const { host } = this.#ours.getRootNode();
    const template = templateOf(host);
    this.#template = template ? new Template(template, tag) : new DefaultTemplate(tag);
    this.#list = this.#view.rows = document.createElement(holder);
    this.#ours.replaceChildren();
    this.#ours.hidden = Boolean(template);
    // A page may have kept one together with its content.
    host.querySelector(':scope > [slot=rows]')?.remove();
    if (template) {
      this.#list.slot = 'rows';
      host.append(this.#list);
    } else {
      this.#list.part = 'rows';
      this.#ours.replaceWith(this.#list);
      this.#ours = this.#list;
    }
    this.#drawn.clear();
    this.#sections?.reset();
    this.#work = null;
    this.render(true, false);
  }

  /** Rows stand in sections, or no longer. @param {import('./sections.js').Sections | null} sections */
  divide(sections) {
    this.#sections?.end();
    this.#sections = sections;
    this.applyTemplate();
  }

  /** Brings the relative times in view up to date. */
  tick() {
    this.#sections?.tick();
    for (const group of groupsOf(this.#list)) {
      if (group.firstElementChild.checkVisibility?.({ contentVisibilityAuto: true }) !== false) this.#tell(group);
    }
  }

  #tell(group) {
    for (const time of group.querySelectorAll('time[data-field][datetime]')) tell(time, this.#reader.words);
  }

  /** A list that loads more is a feed. @param {number} size of it all; -1: unknown */
  number(size) {
    if (size === this.#size) return;
    const wasFeed = this.#size;
    this.#size = size;
    if (wasFeed) this.render(false, false);
    else this.applyTemplate();
  }

  /** A row's element, where it is drawn. @param {string} key @returns {HTMLElement | undefined} */
  element(key) {
    return this.#drawn.get(key)?.item;
  }

  /** @returns {HTMLElement[]} */
  get elements() {
    return [...rowsOf(this.#list)];
  }

  /** Works until its time is over; between slices the page draws, scrolls and handles touches. */
  #go() {
    this.#stopWaiting();
    if (this.#reader.isMoving() && !this.#next?.isFirst) return this.#later(100);
    if (!this.#isDrawn && !document.hidden) return this.#later(10);
    if (this.#work) this.#slice(this.#limit);
    else this.#begin();
    if (this.#work || this.#next) return this.#isPaced ? this.#nextFrame() : this.#later(0);
    this.#list.ariaBusy = null;
    this.#reader.drawn();
    this.#reader.missed(this.#missed);
    this.#missed = 0;
  }

  get #isPaced() {
    return this.#isLook && !document.hidden;
  }

  get #limit() {
    return this.#isLook && this.#isCovered ? unhurried : slice;
  }

  #later(delay) {
    this.#timer = setTimeout(() => this.#go(), delay);
  }

  /** What is laid out by a slice is so for its frame, too. */
  #nextFrame() {
    this.#frame = requestAnimationFrame(() => this.#go());
  }

  #stopWaiting() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#timer = this.#frame = 0;
  }

  #begin() {
    const { isFirst, isOwn, isLook } = this.#next;
    this.#isLook = isLook;
    this.#list.ariaBusy = 'true';
    const rows = this.#reader.rows();
    this.#list.role = this.#sections ? 'group' : this.#size && rows.length ? 'feed' : 'list';
    this.#list.ariaLabel = this.#view.heading.textContent;
    const scroller = this.#reader.scroller();
    this.#next = null;
    this.#scroller = isFirst || (isOwn && isAtTop(scroller)) ? null : scroller;
    this.#work = this.#reconcile(rows);
    this.#isLong = Math.max(rows.length, this.#drawn.size) > followable.rows;
    // To put thousands in order was enough for once.
    if (this.#isLong) return this.#hold();
    const isFew = this.#changes(rows) <= followable.changes;
    const play = isFew && !isFirst && !isLook && animateChanges(this.#list);
    // What is found is seen from its beginning, never from where one was.
    const isWhole = isLook ? this.#reader.virtualizer()?.isFinding : isFew;
    // To find what is to be drawn is enough for a frame in which nobody sees that rows are missing.
    if (!isWhole && this.#isCovered && this.#isPaced) return;
    this.#slice(isWhole ? Infinity : this.#limit);
    if (play) play(this.#fresh, this.#changed);
  }

  /** What is in view is held before anything moves, and drawn so: in one frame Chromium would take it for a layout shift. */
  #hold() {
    if (!this.#scroller) return;
    this.#held = new ScrollAnchor(this.#view, this.#scroller).held;
    this.#measure();
    this.#isDrawn = false;
    requestAnimationFrame(() => { this.#isDrawn = true; });
  }

  #changes(rows) {
    const changed = rows.filter(({ key, fields }) => this.#drawn.get(key)?.fields !== fields).length;
    return changed + Math.max(0, this.#drawn.size - rows.length);
  }

  #slice(limit) {
    const virtualizer = this.#reader.virtualizer();
    const anchor = this.#scroller && new ScrollAnchor(this.#view, this.#scroller, virtualizer);
    if (this.#isLook) virtualizer?.makeRoom();
    this.#isCovered = anchor?.isCovered ?? true;
    const focused = this.#focused;
    this.#fresh = [];
    this.#changed = [];
    this.#moved.clear();
    const end = document.hidden ? Infinity : performance.now() + limit;
    do {
      if (this.#work.next().done) this.#work = null;
    } while (this.#work && performance.now() < end);
    if (anchor) this.#held = anchor.held;
    this.#measure();
    if (focused?.isConnected && focused !== this.#focused) focused.focus({ preventScroll: true });
    const held = anchor?.hold(this.#moved, this.#remainder);
    this.#remainder = anchor?.remainder ?? 0;
    if (held && !this.#isLook) this.#missed += this.#fresh.filter((item) => isBefore(item, held)).length;
  }

  /** Yields wherever it may have been enough for once. */
  *#reconcile(rows) {
    const keys = new Set(rows.map(({ key }) => key));
    yield;
    let gone = 0;
    for (const key of this.#drawn.keys()) {
      if (keys.has(key) || this.#isKept(key)) continue;
      this.#remove(key, keys);
      gone += 1;
      // To take one away is nothing beside what the slice costs.
      if (gone % atLeast === 0) yield;
    }
    if (!this.#sections) return yield* this.#arrange(this.#list, rows, 0);
    const runs = yield* this.#sections.divide(this.#list, rows, this.#size !== 0);
    let previous = null;
    for (const { section, start, end } of runs) {
      for (const item of this.#sections.place(this.#list, section, previous)) this.#moved.add(item);
      yield* this.#arrange(section, rows.slice(start, end), start);
      previous = section;
    }
  }

  /** Rows in their order, in the list or a section of it. @param {number} start the place of the first one in the list */
  *#arrange(holder, rows, start) {
    const stays = yield* this.#staying(holder, rows);
    const some = this.#isLook ? fewer : atLeast;
    const { first = 0, total } = this.#reader.virtualizer()?.part ?? {};
    let previous = null;
    for (const [i, row] of rows.entries()) {
      const item = this.#draw(row);
      if (!stays.has(i)) {
        placeRow(holder, item, previous);
        this.#moved.add(item);
      }
      this.#count(item, first + start + i + 1, total);
      previous = item;
      if ((start + i) % some === 0) yield;
    }
  }

  /** The fewest moves: rows on the longest rising run stay where they are. */
  *#staying(holder, rows) {
    const index = new Map();
    for (const { children } of groupsOf(holder)) {
      for (const item of children) index.set(item, index.size);
      yield;
    }
    const order = rows.map(({ key }) => index.get(this.#drawn.get(key)?.item) ?? -1);
    yield;
    return rising(order);
  }

  /** Says which row of how many it is, where the document does not have all of them. */
  #count(item, number, total) {
    if (this.#size) return this.#article(item, number);
    if (total === undefined && item.ariaSetSize === null) return;
    const said = { ariaSetSize: total === undefined ? null : `${total}`, ariaPosInSet: total === undefined ? null : `${number}` };
    for (const [name, value] of Object.entries(said)) if (item[name] !== value) item[name] = value;
  }

  /** A row with the focus keeps it where another part of the list is looked at: it stays, unseen. */
  #isKept(key) {
    const { item } = this.#drawn.get(key);
    if (!(this.#isLook || item.dataset.offscreen) || !item.contains(this.#focused)) return false;
    item.dataset.offscreen = 'true';
    Object.assign(item.style, { position: 'absolute', opacity: '0' });
    return true;
  }

  #return(item) {
    delete item.dataset.offscreen;
    Object.assign(item.style, { position: '', opacity: '' });
  }

  /** One of a feed, as https://www.w3.org/WAI/ARIA/apg/patterns/feed/ has it. */
  #article(item, ariaPosInSet) {
    const { textContent: ariaLabel } = item.querySelector('[data-field]') ?? item;
    const said = { role: 'article', ariaPosInSet: `${ariaPosInSet}`, ariaSetSize: `${this.#size}`, ariaLabel, tabIndex: 0 };
    for (const [name, value] of Object.entries(said)) if (item[name] !== value) item[name] = value;
  }

  #measure() {
    this.#height = this.#isLong && (this.#height || (this.elements[0]?.getBoundingClientRect().height ?? 0));
    measure(this.#list, this.#height, this.#held);
  }

  /** @returns {HTMLElement} */
  #draw(row) {
    const drawn = this.#drawn.get(row.key);
    if (drawn?.item.dataset.offscreen) this.#return(drawn.item);
    if (drawn?.fields === row.fields) return drawn.item;
    const made = drawn ?? this.#made();
    if (drawn) this.#changed.push(made.item);
    this.#template.draw(made, row, this.#reader.words);
    made.fields = row.fields;
    this.#drawn.set(row.key, made);
    return made.item;
  }

  #made() {
    const made = this.#template.make();
    made.item.role = 'listitem';
    this.#fresh.push(made.item);
    return made;
  }

  #remove(key, staying) {
    const { item } = this.#drawn.get(key);
    this.#drawn.delete(key);
    if (item.contains(this.#focused)) this.#passFocus(item, staying);
    detach(item);
  }

  get #focused() {
    const active = this.#list.getRootNode().activeElement;
    return active && this.#list.contains(active) ? active : null;
  }

  /** The focus of a row that goes is taken by the next that stays, the one before, or the heading. */
  #passFocus(item, staying) {
    const items = this.elements;
    const at = items.indexOf(item);
    const stays = ({ dataset }) => staying.has(dataset.key);
    const successor = items.slice(at).find(stays) ?? items.slice(0, at).findLast(stays);
    const target = successor?.querySelector('a[href], button') ?? successor ?? this.#view.heading;
    if (target === successor) successor.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
}

function isBefore(item, other) {
  return Boolean(other.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_PRECEDING);
}
