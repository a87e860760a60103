import { isAtTop } from '../gesture/scroller.js';

/**
 * Keeps the visible rows in place while rows above them come and go. Browsers that anchor by themselves do so
 * for one change at a time, and not at the top; here it is the first row below the bar, in every browser alike.
 */
export class ScrollAnchor {
  /** @type {[HTMLElement, number][]} rows in view and their tops */ #seen;
  /** What they stand in. @type {Set<Element>} */ held = new Set();
  #scroller;
  /** Has the rows of a long list. @type {import('./virtualizer.js').Virtualizer | null} */ #virtualizer;
  /** What scrolling by whole pixels has left over. The next anchor makes it good, or the slices of a patch would add it up. px */ remainder = 0;

  /**
   * @param {import('../element/view.js').View} view
   * @param {Element} scroller
   * @param {import('./virtualizer.js').Virtualizer | null} virtualizer
   */
  constructor({ bar, content, rows }, scroller, virtualizer = null) {
    this.#scroller = scroller;
    this.#virtualizer = virtualizer;
    const { top, bottom } = rows.getBoundingClientRect();
    const fold = bar.getBoundingClientRect().bottom;
    this.isCovered = top <= fold && bottom >= innerHeight;
    // At the top, what stands above the rows is what a reader looks at.
    const isHeaded = isAtTop(scroller) && top - content.getBoundingClientRect().top > 1;
    this.#seen = isHeaded ? [] : [...this.#visible(rows.children, fold)];
  }

  /**
   * Scrolls by what the rows in view were moved.
   * @param {Set<HTMLElement>} moved rows that went elsewhere: nobody follows those
   * @param {number} remainder of the anchor before. px
   * @returns {HTMLElement | null} the row that stayed
   */
  hold(moved, remainder = 0) {
    const [row, top] = this.#seen.find(([seen]) => seen.isConnected && !moved.has(seen)) ?? [];
    if (!row) return null;
    const way = row.getBoundingClientRect().top - top + remainder;
    const gap = this.#virtualizer ? this.#virtualizer.compensate(way) : way;
    const left = Math.abs(gap) < 1 ? gap : gap - this.#scrollBy(gap);
    // At an end of the list there is nowhere to scroll to.
    this.remainder = Math.abs(left) < 1 ? left : 0;
    return row;
  }

  /** @returns {number} by how much it could be scrolled. px */
  #scrollBy(gap) {
    const before = this.#scroller.scrollTop;
    this.#scroller.scrollTop = before + gap;
    return this.#scroller.scrollTop - before;
  }

  /** @returns {Generator<[HTMLElement, number]>} */
  *#visible(nodes, fold) {
    for (let i = firstBelow(nodes, fold); i < nodes.length; i += 1) {
      const node = nodes[i];
      const { top } = node.getBoundingClientRect();
      if (top >= innerHeight) break;
      if (node.dataset.offscreen) continue;
      if (node.dataset.key) yield [node, top];
      else {
        this.held.add(node);
        yield* this.#visible(node.children, fold);
      }
    }
  }
}

/**
 * The place of the first of some rows, or groups of them, that ends below a line. They stand below each other, but for a row out
 * of view that has the focus.
 */
function firstBelow(nodes, line) {
  let low = 0, high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    let at = middle;
    while (at > low && nodes[at].dataset.offscreen) at -= 1;
    if (nodes[at].dataset.offscreen || nodes[at].getBoundingClientRect().bottom <= line) low = middle + 1;
    else high = at;
  }
  return low;
}
