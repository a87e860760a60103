import { make } from '../element/make.js';

/**
 * Rows by the dozen, and their groups by the dozen in blocks: what lies outside the view is skipped as much at a time as
 * may be, so that a list of thousands costs what a screenful does. Rows don't notice: they are in order across groups.
 */

/**
 * So many rows fill a group, and so many groups a block; twice as many where they come into its midst. Where a group that
 * was seen goes, or is moved, Chromium looks for counters in all of the document, which takes longer than a slice of rows.
 */
const full = 32;

/** @param {any} list @returns {Generator<any>} its groups in order */
export function* groupsOf(list) {
  for (const block of list.children) yield* block.children;
}

/** @param {any} list @returns {Generator<HTMLElement>} its rows in order */
export function* rowsOf(list) {
  for (const group of groupsOf(list)) yield* group.children;
}

/** Puts a row after another one, or first. */
export function placeRow(list, row, previous) {
  detach(row);
  if (!list.firstElementChild) list.append(make('div', { class: 'groups' }, make('div', { class: 'group' })));
  put(row, previous?.parentNode ?? groupsOf(list).next().value, previous);
}

/** Takes a row away, and its group where it was the last one in it. */
export function detach(row) {
  const group = row.parentNode;
  forget(group);
  row.remove();
  if (group?.className && !group.firstElementChild) detach(group);
}

/**
 * Sets the heights of groups and blocks that are out of view. By their own styles, as they may stand in a page's own
 * tree.
 * @param {any} list
 * @param {number} height of a row; 0: none is skipped
 * @param {Set<Element>} held are not skipped either: Chromium takes what moves in what it may skip for a layout shift,
 *   though the list is scrolled by as much. They keep the containment of style that skipping brings: where that changes, it
 *   looks for counters, too.
 */
export function measure(list, height, held) {
  for (const group of [...groupsOf(list), ...list.children]) {
    const isHeld = held.has(group);
    const said = isHeld ? -height : height;
    // Most are as they were, at every slice of a patch.
    if (said === group.said && (group.count || !height)) continue;
    group.said = said;
    group.style = height ? `contain: style; content-visibility: ${isHeld ? 'visible' : 'auto'}; contain-intrinsic-block-size: auto ${extent(group, height)}px` : '';
  }
}

/** Of rows; in a block each group has a pixel for its line. px */
const extent = (group, height) => count(group) * height + (group.className === 'group' ? 0 : group.childElementCount);

/** Rows in a group or a block; searched again only where some came or went, as there are so many. */
const count = (group) => (group.count ??= group.className === 'group'
  ? group.childElementCount
  : [...group.children].reduce((sum, each) => sum + count(each), 0));

function forget(group) {
  if (group?.className) group.count = group.parentNode.count = null;
}

/** Puts a row into its group, or a group into its block: behind another, or first. What exceeds one continues in the next. */
function put(node, group, previous) {
  if (previous) previous.after(node);
  else group.prepend(node);
  forget(group);
  const room = node.className === 'group' && node.nextSibling ? 2 * full : full;
  if (!group.className || group.childElementCount <= room) return;
  let next = group.nextElementSibling;
  if (!next || next.childElementCount >= full) put((next = group.cloneNode()), group.parentNode, group);
  put(group.lastElementChild, next);
}
