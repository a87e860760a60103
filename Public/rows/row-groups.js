import { make } from '../element/make.js';

/**
 * Rows by the dozen, and their groups by the dozen in blocks: what lies outside the view is skipped as much at a time as
 * may be, so that a list of thousands costs what a screenful does. Rows don't notice: they are in order across groups.
 *
 *     list > .groups > .group > row
 *     list > .groups > .section > .groups > .group > row
 */

/**
 * So many rows fill a group, and so many groups a block; twice as many where they come into its midst. Where a group that
 * was seen goes, or is moved, Chromium looks for counters in all of the document, which takes longer than a slice of rows.
 */
const full = 32;
/** Of the heading of a section, about. px */
const headHeight = 40;

/** @param {any} list or a part of it @returns {Generator<any>} its groups in order */
export function* groupsOf(list) {
  for (const part of list.children) {
    if (part.className === 'group') yield part;
    else yield* groupsOf(part);
  }
}

/** @param {any} list or a part of it @returns {Generator<HTMLElement>} its rows in order */
export function* rowsOf(list) {
  for (const group of groupsOf(list)) yield* group.children;
}

/** Puts a row after another one, or first. @param {any} list or a section of it */
export function placeRow(list, row, previous) {
  detach(row);
  const group = previous?.parentNode ?? groupsOf(list).next().value;
  put(row, group ?? firstGroup(list), previous);
}

function firstGroup(list) {
  const group = make('div', { class: 'group' });
  if (!list.lastElementChild) list.append(make('div', { class: 'groups' }));
  list.lastElementChild.append(group);
  return group;
}

/** Puts a section behind another one, or first: sections stand in blocks as groups do. */
export function placeSection(list, section, previous) {
  detach(section);
  if (!list.firstElementChild) list.append(make('div', { class: 'groups' }));
  put(section, previous?.parentNode ?? list.firstElementChild, previous);
}

/**
 * Takes a row away, and its group where it was the last one in it; a section goes as it is. The group goes first: if it were
 * empty then, Chromium would lay out all other rows again.
 */
export function detach(row) {
  const group = row.parentNode;
  forget(group);
  if (group?.className && group.childElementCount === 1) detach(isSection(group.parentNode) ? group.parentNode : group);
  row.remove();
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

/** Of rows; in a block each group has a pixel for its line, and a section its heading. px */
const extent = (group, height) => count(group) * height + (group.className === 'group' ? 0 : [...group.children].reduce((sum, part) => sum + besides(part), 0));

const besides = (part) => (isSection(part) ? headHeight + part.lastElementChild.childElementCount : 1);

const isSection = (part) => part.className === 'section';

/** Rows in a group or a block; searched again only where some came or went, as there are so many. */
const count = (group) => (group.count ??= group.className === 'group'
  ? group.childElementCount
  : [...group.children].reduce((sum, each) => sum + count(each), 0));

/**
 * @param {any} list
 * @param {Element} part a row, a group, a block or a section
 * @returns {{before: number, within: number}} how many rows are before it, and in it
 */
export function rowsBefore(list, part) {
  let before = 0, holder = list;
  while (holder !== part) {
    const next = [...holder.children].find((child) => {
      if (child.contains(part)) return true;
      before += rowsIn(child);
      return false;
    });
    if (!next) break;
    holder = next;
  }
  return { before, within: rowsIn(part) };
}

const rowsIn = (part) => (part.dataset.key === undefined ? count(part) : 1);

function forget(group) {
  for (let part = group; part?.className; part = part.parentNode) part.count = null;
}

/**
 * Puts a row into its group, or a group into its block: behind another, or first. What exceeds one continues in the next, but
 * a section is one block.
 */
function put(node, group, previous) {
  if (previous) previous.after(node);
  else group.prepend(node);
  forget(group);
  const room = node.className === 'group' && node.nextSibling ? 2 * full : full;
  if (!group.className || group.childElementCount <= room || isSection(group.parentNode)) return;
  let next = group.nextElementSibling;
  if (!next || next.childElementCount >= full) put((next = group.cloneNode()), group.parentNode, group);
  put(group.lastElementChild, next);
}

/** @param {number[]} values -1: not there yet @returns {Set<number>} the places of a longest rising run */
export function rising(values) {
  const tails = [], previous = [];
  values.forEach((value, i) => {
    if (value < 0) return;
    let low = 0, high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]] < value) low = middle + 1;
      else high = middle;
    }
    previous[i] = tails[low - 1];
    tails[low] = i;
  });
  const run = new Set();
  for (let i = tails.at(-1); i !== undefined; i = previous[i]) run.add(i);
  return run;
}
