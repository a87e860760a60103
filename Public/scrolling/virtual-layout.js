/** The greatest height of all rows. Firefox ends a box at 8,947,848 px (2^29 / 60) and a page at twice that, Chromium a page at 16,777,200. px */
export const highest = 8_000_000;
/** Rows are taken for as high as the first were on average, unless others differ from that by so many times. */
const alike = 1.5;

/**
 * The geometry of virtual scrolling: the rows that are drawn, and spacers above and below in place of the others. Where all rows
 * would be higher than a browser can lay out, the spacers are lower than their rows. Pure: no document.
 *
 *     0 ┌─────────┐
 *       │         │ above: rows 0 … first - 1
 *       ├─────────┤
 *       │ rows    │ drawn, as high as they are
 *       ├─────────┤
 *       │         │ below: the rest
 *       └─────────┘ extent
 *
 * When rows come or go at an end, `above` changes by their height, so that no other row moves: a list that scrolls by momentum
 * must not be scrolled by a script. So `above` drifts away from its ideal, until `correct`.
 */
export class VirtualLayout {
  /** How many rows there are. */ total = 0;
  /** How many come before those that are drawn. */ first = 0;
  /** How many are drawn. */ count = 0;
  /** Of a row, about. As long as it stays the same, so does the place of each row. px */ rowHeight = 0;
  /** Of those that are drawn, together. px */ drawn = 0;
  /** The room above them. Whole, as browsers know no part of a pixel at such a height. px */ above = 0;

  /** The height of all. px */
  get extent() {
    return Math.min(highest, Math.max(this.total * this.rowHeight, this.drawn));
  }

  /** The room below the rows. Never less than they would take, or a screen of it, while there are any. px */
  get below() {
    const rest = this.total - this.first - this.count;
    if (rest <= 0) return 0;
    const least = Math.min(rest * this.rowHeight, 2 * this.drawn);
    return Math.max(least, this.extent - this.above - this.drawn);
  }

  /** The room that rows before those that are drawn should take. px */
  get ideal() {
    const others = this.total - this.count;
    return others > 0 ? Math.round((this.first / others) * Math.max(0, this.extent - this.drawn)) : 0;
  }

  /** Rows were drawn. @param {{total: number, first: number, count: number}} part @param {number} drawn their height. px */
  draw({ total, first, count }, drawn) {
    Object.assign(this, { total, first, count, drawn });
    const height = count && drawn / count;
    if (height && !(height < this.rowHeight * alike && height > this.rowHeight / alike)) this.rowHeight = height;
  }

  /**
   * The rows that stay have moved within what is drawn: the room above makes up for it, as far as there is some.
   * @param {number} gap by which they moved down. px
   * @returns {number} what is left, for whoever scrolls. px
   */
  compensate(gap) {
    const above = Math.max(0, Math.round(this.above - gap));
    const left = gap - (this.above - above);
    this.above = above;
    return left;
  }

  /**
   * Rows were drawn that lie elsewhere: a row of theirs is to be where it was looked for.
   * @param {number} y from the top of the list. px
   * @param {number} before the height of the drawn rows before it. px
   */
  place(y, before) {
    this.above = Math.max(0, Math.round(y - before));
  }

  /**
   * Puts the rows where they belong.
   * @param {number} tolerated a drift that does not matter. px
   * @returns {number} by how much they moved down, for whoever scrolls by as much. px
   */
  correct(tolerated) {
    const drift = this.ideal - this.above;
    const isAtEnd = this.first === 0 || this.first + this.count === this.total;
    if (Math.abs(drift) <= (isAtEnd ? 0 : tolerated)) return 0;
    this.above += drift;
    return drift;
  }

  /** @param {number} y from the top of the list; px @returns {number} the index of the row that is there, or would be */
  indexAt(y) {
    const { above, drawn, first, count, total, below } = this;
    const end = first + count;
    const index = y < above ? (y / above) * first
      : y < above + drawn ? first + ((y - above) / drawn) * count
        : end + ((y - above - drawn) / below) * (total - end);
    return Math.max(0, Math.min(total - 1, Math.floor(index)));
  }
}
