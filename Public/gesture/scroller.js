/**
 * What scrolls an element, and whether it is at its top.
 */

/** iOS reports positions a little off zero. CSS px. */
const nearlyTop = 0.5;

/** WebKit but on iOS: it reloads no page that is pulled, and in WebKitGTK a contained scroller with a wheel listener no longer scrolls. */
const isFirm = navigator.vendor.startsWith('Apple') && !CSS.supports('-webkit-touch-callout', 'none');

/** @param {Element} element @returns {boolean} whether it would scroll up and down by itself, were there enough in it */
const mayScroll = (element) => /^(auto|scroll|overlay)$/.test(getComputedStyle(element).overflowY);

/** Its style first: to ask for its height lays the page out. */
const scrolls = (element) => mayScroll(element) && element.scrollHeight > element.clientHeight;

/**
 * The element and what it is in, across shadow roots, up to the body.
 * @param {any} element @returns {Generator<HTMLElement>}
 */
function* around(element) {
  for (let node = element; node && node !== document.body; node = node.assignedSlot ?? node.parentNode ?? node.host) {
    // @ts-ignore: of HTML or SVG, both have styles.
    if (node instanceof Element) yield node;
  }
}

/** The element or nearest ancestor that scrolls; else the document's. @param {Element} element */
export function scroller(element) {
  for (const node of around(element)) if (scrolls(node)) return node;
  return document.scrollingElement ?? document.documentElement;
}

/** Where the scroll events of a scroller are heard, inside another element's tree too. @param {Element} element */
export function scrollTarget(element) {
  return element === document.scrollingElement ? document : element;
}

/** @param {Element} element a scroller */
export function isAtTop(element) {
  return element.scrollTop <= nearlyTop;
}

/**
 * How far a scroller is from its top: Infinity where something else that scrolls under the finger is not at its own.
 * @param {EventTarget[]} path an event's composedPath()
 * @param {Element} outermost
 * @returns {number} px
 */
export function distanceFromTop(path, outermost) {
  for (const node of path) {
    if (node === outermost) break;
    if (node instanceof Element && node.scrollTop > nearlyTop && scrolls(node)) return Infinity;
  }
  return isAtTop(outermost) ? 0 : outermost.scrollTop;
}

/** @type {Map<HTMLElement, {count: number, before: string}>} */
const contained = new Map();

/**
 * Keeps the browser's own pull-to-refresh away, of the document and of the nearest that scrolls an element, or will.
 * @param {HTMLElement} element
 * @returns {() => void} which undoes it
 */
export function contain(element) {
  const targets = isFirm ? [] : [document.documentElement];
  for (const node of around(element)) {
    if (!mayScroll(node)) continue;
    targets.push(node);
    break;
  }
  const releases = targets.map(hold);
  return () => releases.forEach((release) => release());
}

function hold(target) {
  const entry = contained.get(target) ?? { count: 0, before: target.style.overscrollBehaviorY };
  entry.count += 1;
  contained.set(target, entry);
  target.style.overscrollBehaviorY = 'contain';
  return () => {
    entry.count -= 1;
    if (entry.count > 0) return;
    target.style.overscrollBehaviorY = entry.before;
    contained.delete(target);
  };
}
