const drawn = new Set(['svg', 'path', 'circle', 'rect']);

/**
 * Makes an element. A page whose policy has `require-trusted-types-for 'script'` lets no script write markup.
 * @param {string} name of HTML or, where it draws, of SVG
 * @param {Record<string, string | number>} [attributes] an empty one is only there
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  const element = drawn.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const attribute of Object.keys(attributes)) element.setAttribute(attribute, `${attributes[attribute]}`);
  element.append(...children);
  return element;
}

/** An icon of strokes on a square. @param {number} size @param {...string} paths */
export const icon = (size, ...paths) => make('svg', { viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' }, ...paths.map((d) => make('path', { d })));

/** A button that submits nothing. @param {string} part @param {...(Node | string)} children */
export const button = (part, ...children) => make('button', { part, type: 'button' }, ...children);
