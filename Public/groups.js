/**
 * Rows by the dozen: what lies outside the view is skipped a group at a time, so that a list of thousands costs what
 * a screenful does. Rows don't notice: they are in order across groups.
 */
const groupSize = 64;

/** Groups that rows came to or left since they were last measured. @type {Set<HTMLElement>} */
const touched = new Set();

/** @param {any} list @returns {Generator<HTMLElement>} its rows in order */
export function* rowsOf(list) {
  for (const group of list.children) yield* group.children;
}

/** Puts a row after another one, or first. */
export function place(list, row, previous) {
  take(row);
  const group = previous?.parentNode ?? list.firstElementChild ?? list.appendChild(made());
  touched.add(group);
  const isFull = group.childElementCount >= groupSize;
  if (!previous) (isFull ? besides(group, 'before') : group).prepend(row);
  else if (isFull && !split(group, previous)) besides(group, 'after').append(row);
  else previous.after(row);
}

/** Takes a row away, and its group where it was the last one in it. */
export function take(row) {
  const group = row.parentNode;
  row.remove();
  if (!group) return;
  touched.add(group);
  if (!group.firstElementChild) group.remove();
}

/**
 * Tells groups how high they are where nobody sees them. By their own styles, as they may stand in a page's own tree.
 * @param {Element} list
 * @param {number} height of a row; 0: none is skipped
 * @param {boolean} isAll or only those with other rows than before
 */
export function measure(list, height, isAll) {
  for (const { style, childElementCount } of isAll ? list.children : touched) {
    style.contentVisibility = height ? 'auto' : '';
    style.containIntrinsicBlockSize = height ? `auto ${childElementCount * height}px` : '';
  }
  touched.clear();
}

/** @returns {boolean} whether rows followed in the group, which have one of their own now */
function split(group, row) {
  if (!row.nextElementSibling) return false;
  const rest = besides(group, 'after');
  while (row.nextElementSibling) rest.append(row.nextElementSibling);
  return true;
}

function besides(group, side) {
  const other = made();
  group[side](other);
  touched.add(other);
  return other;
}

function made() {
  const group = document.createElement('div');
  group.className = 'group';
  return group;
}
