/**
 * Where a row that is swiped is, and where it comes to rest. Pure; px and px/ms, positive towards its end.
 *
 *     0 ─── shut │ open ─── width ─── as the finger, or resisting ─── fullAt: the first action is done
 */

/** A row that is let go glides on as if for so long. Milliseconds. */
const glide = 150;
/** A row that is moved by so much goes on by itself, or by half of its actions where those are less. px */
const enough = 80;
/** The share of a row's width past which a swipe does the first action. */
const share = 0.55;
/** A finger that goes back so quickly does not mean it. px/ms */
const returning = -0.3;

/**
 * What a row's swipe may do.
 * @typedef {object} Extent
 * @property {number} width of the actions
 * @property {number} row its own width
 * @property {boolean} isFull whether a swipe over all of it does the first action
 */

/** @param {Extent} extent @returns {number} the offset from which letting go does the first action */
export const fullAt = ({ width, row, isFull }) => (isFull ? Math.min(row, Math.max(row * share, width + 32)) : Infinity);

/** @param {number} travel of the finger @param {Extent} extent @returns {number} how far the row is displaced: 1:1, and resisting beyond */
export function displaced(travel, { width, row, isFull }) {
  if (travel < 0) return 0;
  const free = isFull ? row : width;
  return travel <= free ? travel : free + resist(travel - free, row);
}

/**
 * @param {number} offset @param {number} velocity @param {Extent} extent @param {boolean} wasOpen before it was touched
 * @returns {'shut' | 'open' | 'full'}
 */
export function restOf(offset, velocity, extent, wasOpen) {
  if (offset >= fullAt(extent) && velocity > returning) return 'full';
  const way = Math.min(enough, extent.width / 2);
  return offset + velocity * glide > (wasOpen ? extent.width - way : way) ? 'open' : 'shut';
}

/** As much as a pull resists. */
const resist = (x, size) => (1 - 1 / ((0.55 * x) / size + 1)) * size;
