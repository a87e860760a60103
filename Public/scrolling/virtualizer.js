import { scrollTarget } from '../gesture/scroller.js';
import { EndKeys } from './end-keys.js';
import { keepPosition, takePosition } from './return-position.js';
import { selectedRows } from './selected-rows.js';
import { Spacers } from './spacers.js';
import { VirtualLayout } from './virtual-layout.js';

/** So many screens of rows are looked at, but at least and at most so many rows. */
const screens = 6, fewest = 60, most = 200;
/** Of those out of view, so many lie ahead; with fewer than so many ahead or behind, others are looked at. Shares. */
const ahead = 0.75, leastAhead = 0.4, leastBehind = 0.1;
/** Rows that are selected stay, while these are no more. */
const mostSelected = 1000;
/** Of a row, before one was seen. px */
const usual = 64;
/** A field that opens moves the list by less than this. px */
const nearly = 100;
/** Without a scroll event for so long, the list is at rest. Milliseconds. */
const rest = 150;
/** What a person types is looked for once they pause for so long. Milliseconds. */
const pause = 120;
/** A look that was refused is tried again after so long. Milliseconds. */
const again = 3000;

/**
 * Virtual scrolling: only the rows of a long list that are near the view are in the document. As a person scrolls, the watch
 * looks at another window of the list. Spacers in place of the other rows show the shapes of rows.
 *
 *     scroll ─▶ what is in view? ─▶ watch.look(window) ─▶ rows are drawn ─▶ the spacers change
 *
 * Rows in view stay where they are. If none of the drawn rows is in view, the person has jumped: then the row whose place is at
 * the top of the view is put there.
 */
export class Virtualizer {
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** @type {Pages} */ #rows;
  #layout = new VirtualLayout();
  #spacers;
  /** @type {Element | null} */ #scroller = null;
  /** Where it was scrolled to when it was last looked. px */ #top = 0;
  #isUp = false;
  /** Whether the rows of the watch are drawn. */ #isDrawn = false;
  /** Whether it is known where the person begins: at the top, or where they left the page. */ #hasBegun = false;
  /**
   * Where a row is to be that was looked at: one of this key or index, so far below the top of the list; where nobody scrolled
   * there, below that of the viewport. px
   * @type {{key?: string, index?: number, y: number, top?: number, end?: import('./end-keys.js').End | null, isSought?: boolean} | null}
   */
  #jump = null;
  /** The words that are looked for. */ #query = '';
  /** Where a person was before. @type {{key: string, index: number, y: number, top: number, scrollTop: number} | null} */ #before = null;
  #keys = new EndKeys();
  #timers = { frame: 0, rest: 0, typing: 0, again: 0 };

  /**
   * @typedef {object} Pages what knows of the rows that are drawn
   * @property {() => boolean} isMoving whether a reader moves the list
   * @property {(key: string) => HTMLElement | undefined} element of a row, where it is drawn
   *
   * @param {HTMLElement} host
   * @param {import('../element/view.js').View} view
   * @param {import('../element/list-renderer.js').ListContext} list
   * @param {Pages} rows
   */
  constructor(host, view, list, rows) {
    this.#view = view;
    this.#list = list;
    this.#rows = rows;
    this.#spacers = new Spacers(host, view);
  }

  /** How many rows there are, and how many come before those that are drawn. */
  get part() {
    const { first, total } = this.#list.watch?.replica ?? {};
    return { first, total };
  }

  /** @param {number} y in the viewport; px @returns {number} the index of the row that is there, or would be */
  indexAt(y) {
    return this.#layout.indexAt(y - this.#origin);
  }

  /** Rows are about to be drawn: till they are, nothing is looked at. */
  begin() {
    this.#isDrawn = false;
  }

  /** Many rows may go before others come: the end of the page, to which somebody may be on the way, stays where it is, or farther away. */
  makeRoom() {
    this.#spacers.fit(this.#layout, this.#layout.drawn);
  }

  /** The rows that stay have moved down by a gap. @param {number} gap px @returns {number} what is left for whoever scrolls. px */
  compensate(gap) {
    const left = this.#layout.compensate(gap);
    this.makeRoom();
    return left;
  }

  /** All rows of the watch are drawn. @param {Element} scroller */
  drawn(scroller) {
    this.#follow(scroller);
    this.#isDrawn = true;
    this.#view.rows.toggleAttribute('data-long', true);
    this.#measure();
    const hasArrived = this.#jump && !this.#list.watch.isLooking;
    if (hasArrived) this.#finishJump();
    this.#spacers.fit(this.#layout);
    if (!this.#isScrolling) this.#correct();
    if (!this.#hasBegun && this.#list.watch.isConnected) this.#return();
    this.#fillLater();
    // The rows that were looked for are known now.
    if (hasArrived) this.#list.paint();
  }

  /** The list is no longer shown, or no longer long. */
  leave() {
    for (const timer of ['rest', 'typing', 'again']) clearTimeout(this.#timers[timer]);
    cancelAnimationFrame(this.#timers.frame);
    this.#timers = { frame: 0, rest: 0, typing: 0, again: 0 };
    this.#follow(null);
    this.#hasBegun = false;
    this.#jump = this.#before = null;
    this.#layout = new VirtualLayout();
    this.#query = '';
    this.#spacers.fit(this.#layout);
    this.#view.rows.toggleAttribute('data-long', false);
  }

  /** Goes to where the person left the page, unless they are on the way to something else. */
  #return() {
    this.#hasBegun = true;
    const position = takePosition(this.#list.watch.address);
    if (!position || this.#jump || this.#list.watch.isLooking) return;
    this.#jump = position;
    this.#request(this.#around(position.key, position.index));
  }

  #left = () => keepPosition(this.#list.watch.address, this.#query || this.#scroller.scrollTop <= 0 ? null : this.#position());

  /** Looks for words in the whole list; '': no more. @param {string} words @param {boolean} isTyped */
  find(words, isTyped) {
    clearTimeout(this.#timers.typing);
    if (words === this.#query) return;
    this.#timers.typing = setTimeout(() => this.#seek(words), isTyped ? pause : 0);
  }

  /** Notes where a person is before they look for words, unless they have hardly scrolled since it was noted. */
  rememberPosition() {
    if (this.#query || !this.#scroller) return;
    const { scrollTop } = this.#scroller;
    if (this.#before && Math.abs(this.#before.scrollTop - scrollTop) < nearly) return;
    const place = this.#position();
    this.#before = place && { ...place, scrollTop };
  }

  /** Whether it is yet unknown which rows are found. */
  get isFinding() {
    return this.#timers.typing > 0 || Boolean(this.#jump?.isSought || this.#list.watch?.replica.isSearching);
  }

  /** Goes to a row that may be far away. @param {string} key */
  show(key) {
    if (this.#rows.element(key) || this.#query) return;
    this.#jump = { key, y: 0, top: this.#fold };
    this.#request(this.#around(key));
  }

  /** Why the newest look had no answer. @param {any} refusal */
  refused({ retry, after = again }) {
    const isSought = this.#jump?.isSought;
    this.#jump = null;
    if (retry === 'never') return;
    clearTimeout(this.#timers.again);
    this.#timers.again = setTimeout(() => (isSought ? this.#seek(this.#query) : this.#fill()), after);
  }

  #seek(words) {
    this.#timers.typing = 0;
    if (words) this.rememberPosition();
    this.#query = words;
    const back = words ? null : this.#before;
    if (!words) this.#before = null;
    this.#jump = { index: 0, y: 0, ...back, isSought: true };
    this.#request(back ? this.#around(back.key, back.index) : { first: 0, count: this.#size });
  }

  /** The row at the top of the view, and where it is. */
  #position() {
    const fold = this.#fold;
    const { first, rows } = this.#list.watch.replica;
    const at = rows.findIndex(({ key }) => this.#rows.element(key)?.getBoundingClientRect().bottom > fold);
    if (at < 0) return null;
    const { top } = this.#rows.element(rows[at].key).getBoundingClientRect();
    return { key: rows[at].key, index: first + at, y: top - this.#origin, top };
  }

  /** As many rows as are looked at. */
  get #size() {
    return Math.max(fewest, Math.min(most, screens * this.#onScreen));
  }

  get #onScreen() {
    return Math.ceil((this.#floor - this.#fold) / (this.#layout.rowHeight || usual));
  }

  #around(key, index = undefined) {
    const before = Math.floor(this.#size / 2);
    return { around: key, before, after: this.#size - 1 - before, index };
  }

  #request(part) {
    this.#list.watch.look(this.#query ? { ...part, find: this.#query } : part);
    if (this.#jump?.isSought) this.#list.paint();
  }

  #follow(scroller) {
    if (scroller === this.#scroller) return;
    if (this.#scroller) scrollTarget(this.#scroller).removeEventListener('scroll', this.#scrolled);
    removeEventListener('resize', this.#scrolled);
    removeEventListener('pagehide', this.#left);
    this.#keys.stop();
    this.#scroller = scroller;
    if (!scroller) return;
    addEventListener('pagehide', this.#left);
    this.#keys.listen();
    this.#top = scroller.scrollTop;
    scrollTarget(scroller).addEventListener('scroll', this.#scrolled, { passive: true });
    addEventListener('resize', this.#scrolled);
  }

  /** Before the next frame is drawn: to look now would lay it out early. */
  #fillLater() {
    this.#timers.frame ||= requestAnimationFrame(() => {
      this.#timers.frame = 0;
      if (!this.#scroller) return;
      const { scrollTop } = this.#scroller;
      if (scrollTop !== this.#top) this.#isUp = scrollTop < this.#top;
      this.#top = scrollTop;
      this.#fill();
    });
  }

  #scrolled = () => {
    const end = this.#keys.take();
    if (end && this.#mayLook && !this.#jump?.isSought) this.#jumpTo(end);
    this.#fillLater();
    clearTimeout(this.#timers.rest);
    this.#timers.rest = setTimeout(this.#rested, rest);
  };

  #rested = () => {
    this.#timers.rest = 0;
    if (this.#rows.isMoving()) this.#timers.rest = setTimeout(this.#rested, rest);
    else if (this.#isDrawn && !this.#jump && this.#list.watch?.isLong) {
      this.#measure();
      this.#correct();
    }
  };

  get #isScrolling() {
    return this.#timers.rest > 0;
  }

  /** Whether there are other rows, and the server would send them. */
  get #mayLook() {
    const { watch, isDown } = this.#list;
    const { count, total } = this.#layout;
    return this.#scroller && this.#isDrawn && watch?.isLong && watch.isConnected && !isDown && count > 0 && count < total;
  }

  /** Looks at other rows, if those that are here do not suffice. */
  #fill() {
    if (!this.#mayLook || this.#list.watch.isLooking) return;
    const fold = this.#fold - this.#origin, floor = this.#floor - this.#origin;
    const { above, drawn, first, count, total } = this.#layout;
    if (above >= floor || above + drawn <= fold) return this.#jumpTo(this.#endInView);
    // At an end of the room the list could be moved no further, though there are more rows, or would show that there are none.
    if (first === 0 ? above > 0 : above < floor - fold) this.#correct();
    const start = Math.max(0, this.#layout.indexAt(Math.max(above, fold)) - first);
    const end = Math.min(count, this.#layout.indexAt(Math.min(floor, above + drawn)) - first + 1);
    const others = this.#size - this.#onScreen;
    const [leastAbove, leastBelow] = this.#isUp ? [leastAhead, leastBehind] : [leastBehind, leastAhead];
    const isShort = (first > 0 && start < leastAbove * others) || (first + count < total && count - end < leastBelow * others);
    if (isShort) this.#shift(first + start, first + end);
  }

  /** Looks at rows around those in view, more of them where they are scrolled to. */
  #shift(start, end) {
    const { first, total } = this.#layout;
    const others = this.#size - (end - start);
    const [begin, stop] = this.#withSelected(start - Math.round(others * (this.#isUp ? ahead : 1 - ahead)), this.#size);
    if (begin <= 0) return this.#request({ first: 0, count: stop });
    if (stop >= total) return this.#request({ last: stop - begin });
    const index = Math.floor((start + end) / 2);
    const row = this.#list.watch.replica.rows[index - first];
    if (row) this.#request({ around: row.key, before: index - begin, after: stop - 1 - index, index });
  }

  /** The end of the page that is in view. */
  get #endInView() {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroller;
    if (scrollTop <= 0) return 'start';
    const isEnd = scrollTop + clientHeight >= scrollHeight - 2 || this.#layout.indexAt(this.#floor - this.#origin) >= this.#layout.total - 1;
    return isEnd ? 'end' : null;
  }

  /** Looks at the rows of an end; or, where none of the rows is in view, at those that would be. @param {import('./end-keys.js').End | null} end */
  #jumpTo(end) {
    const { total } = this.#layout;
    const y = this.#fold - this.#origin;
    const index = end === 'start' ? 0 : this.#layout.indexAt(y);
    const [begin, stop] = this.#withSelected(end === 'end' ? total - this.#size : index - Math.floor((this.#size - this.#onScreen) / 2), this.#size);
    this.#jump = { index, y, end };
    const first = Math.max(0, begin);
    this.#request(end === 'end' ? { last: total - first } : { first, count: stop - first });
  }

  /** So many rows from an index on, and those between them and what is selected, if these are not too many. @returns {[number, number]} */
  #withSelected(begin, count) {
    const { rows, first } = this.#list.watch.replica;
    const selected = selectedRows(this.#view.rows, rows);
    if (!selected) return [begin, begin + count];
    const [from, to] = [Math.min(begin, first + selected.start), Math.max(begin + count, first + selected.end + 1)];
    return to - Math.max(0, from) <= mostSelected ? [from, to] : [begin, begin + count];
  }

  /** Puts the row that was looked for where it was to be. */
  #finishJump() {
    const { key, index, y, top, end, isSought } = this.#jump;
    this.#jump = null;
    const isElsewhere = isSought || top !== undefined;
    // The person has come to an end meanwhile, and the rows would move it away from there.
    if (!isElsewhere && !end && this.#endInView) return this.#jumpTo(this.#endInView);
    const layout = this.#layout;
    const { rows } = this.#list.watch.replica;
    const row = this.#rows.element(key ?? rows[Math.max(0, Math.min(rows.length - 1, index - layout.first))]?.key);
    layout.place(y, row ? row.getBoundingClientRect().top - this.#view.rows.getBoundingClientRect().top : 0);
    if (end || isElsewhere) layout.correct(0);
    this.#spacers.fit(this.#layout);
    if (end) this.#scroller.scrollTop = end === 'end' ? this.#scroller.scrollHeight : 0;
    // What is found is seen from its beginning.
    if (isElsewhere) this.#scroller.scrollTop += top === undefined ? Math.min(0, this.#origin - this.#fold) : (row?.getBoundingClientRect().top ?? top) - top;
    if (!isSought) this.#tell();
  }

  #measure() {
    const { first, total, count } = this.#list.watch.replica;
    this.#layout.draw({ first, total, count }, this.#view.rows.getBoundingClientRect().height);
  }

  /** Says to those who can't see it which row of how many they came to. */
  #tell() {
    const { total } = this.#layout;
    const { words, say } = this.#list;
    say(words.share(this.indexAt(this.#fold + 1) + 1, total));
  }

  /** Puts the rows where they belong, in the room for all of them, and scrolls by as much: nothing seems to move. */
  #correct() {
    const { above } = this.#layout;
    const moved = this.#layout.correct((this.#floor - this.#fold) / 2);
    if (!moved) return;
    const before = this.#scroller.scrollTop;
    this.#spacers.fit(this.#layout);
    this.#scroller.scrollTop = before + moved;
    // iOS scrolls nothing that moves by momentum: then later.
    const { scrollTop } = this.#scroller;
    if (this.#isScrolling && Math.abs(scrollTop - before - moved) > 1 && scrollTop > 0) {
      this.#layout.above = above;
      this.#spacers.fit(this.#layout);
    }
    this.#top = this.#scroller.scrollTop;
  }

  /** Where the list begins in the viewport. px */
  get #origin() {
    return this.#spacers.top;
  }

  /** Where the view of the rows begins and ends in the viewport. px */
  get #fold() {
    return this.#view.bar.getBoundingClientRect().bottom;
  }

  get #floor() {
    const isPage = !this.#scroller || this.#scroller === document.scrollingElement;
    return isPage ? innerHeight : Math.min(innerHeight, this.#scroller.getBoundingClientRect().bottom);
  }
}
