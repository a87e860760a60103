import { rowsOf } from './row-groups.js';
import { prefersReducedMotion } from '../gesture/motion.js';

const glide = { duration: 260, easing: 'cubic-bezier(.2,.8,.2,1)' };

/**
 * What became of rows, for people to see: they glide from where they were, blink where they say something else, fade in
 * where they are new and out where they stood (FLIP: first, last, invert, play). The rows themselves are in their places
 * at once; a glide that is under way goes on beneath the next.
 *
 * @param {Element} list as it is before rows change
 * @returns {((fresh: HTMLElement[], changed: HTMLElement[]) => void) | null} to call afterwards; null: nothing is to be animated
 */
export function animateChanges(list) {
  if (prefersReducedMotion() || document.hidden) return null;
  /** @type {[HTMLElement, DOMRect][]} */
  const before = [...movable(list)].map((item) => [item, item.getBoundingClientRect()]);
  return (fresh, changed) => {
    const after = new Map([...movable(list)].map((item) => [item, item.getBoundingClientRect().top]));
    const isSeen = (top, height) => top + height > 0 && top < innerHeight;
    const isGone = ([item, { top, height }]) => !after.has(item) && item.dataset.key !== undefined && isSeen(top, height);
    const gone = before.filter(isGone);
    for (const [item, { top, height }] of before) {
      const way = top - after.get(item);
      // Hundreds may be moved out of view.
      if (Math.abs(way) > 1 && (isSeen(top, height) || isSeen(top - way, height))) item.animate([{ transform: `translateY(${way}px)` }, {}], { ...glide, composite: 'add' });
    }
    for (const item of fresh) item.animate([{ opacity: 0, transform: 'translateY(-10px)' }, {}], glide);
    for (const item of changed) item.animate([{ opacity: 0.25 }, {}], glide);
    if (gone.length) animateRemoval(list, gone);
  };
}

/** Rows, and the headings of their sections. @param {Element} list @returns {Generator<HTMLElement>} */
function* movable(list) {
  yield* list.querySelectorAll('h3[part=section]');
  yield* rowsOf(list);
}

/** Removed rows stay for a moment in a list of their own, without size, focus or accessibility. */
function animateRemoval(list, gone) {
  const past = list.cloneNode();
  past.removeAttribute('part');
  past.inert = true;
  past.ariaHidden = 'true';
  Object.assign(past.style, { position: 'relative', blockSize: 0 });
  list.after(past);
  const { top } = past.getBoundingClientRect();
  for (const [item, place] of gone) {
    delete item.dataset.key;
    item.removeAttribute('part');
    Object.assign(item.style, { position: 'absolute', insetInline: 0, top: `${place.top - top}px` });
    past.append(item);
    item.animate([{}, { opacity: 0 }], glide).onfinish = () => past.remove();
  }
}
