/**
 * Rows by the dozen: what lies outside the view is skipped a group at a time, so that a list of thousands costs what
 * a screenful does. Rows don't notice: they are in order across groups.
 */
const most = 64;

/** @param {Element} list @returns {Iterable<HTMLLIElement>} its rows in order */
export function* rowsOf(list) {
  for (const group of list.children) yield* group.children;
}

/** Puts a row after another one, or first. */
export function place(list, row, previous) {
  take(row);
  const group = previous?.parentNode ?? list.firstElementChild ?? list.appendChild(made());
  const isFull = group.childElementCount >= most;
  if (!previous) (isFull ? besides(group, 'before') : group).prepend(row);
  else if (isFull && !split(group, previous)) besides(group, 'after').append(row);
  else previous.after(row);
}

/** Takes a row away, and its group where it was the last one in it. */
export function take(row) {
  const group = row.parentNode;
  row.remove();
  if (group && !group.firstElementChild) group.remove();
}

/** Tells groups that were never in view how high they would be. @param {Element} list */
export function measure(list) {
  if (!list.hasAttribute('data-long') || !list.firstElementChild) return;
  const { offsetHeight } = list.querySelector('li');
  for (const group of list.children) {
    const height = `auto ${group.childElementCount * offsetHeight}px`;
    if (group.style.containIntrinsicBlockSize !== height) group.style.containIntrinsicBlockSize = height;
  }
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
  return other;
}

function made() {
  const group = document.createElement('div');
  group.className = 'group';
  return group;
}
