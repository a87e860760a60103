/** Where a person was in a long list when they left the page. @typedef {{key: string, index: number, y: number, top: number}} Position */

const nameOf = (address) => `refreshable-position ${address}`;

/** Remembers it till the page is shown again, by reload or by Back. @param {string} address of the list @param {Position | null} position null: no more */
export function keepPosition(address, position) {
  try {
    if (position) sessionStorage.setItem(nameOf(address), JSON.stringify(position));
    else sessionStorage.removeItem(nameOf(address));
  } catch (error) {
    // Storage is full, or refused: the list begins at its top.
    console.info(error);
  }
}

/** Whoever follows a link to the page begins at its top. @param {string} address of the list @returns {Position | null} that was remembered, once */
export function takePosition(address) {
  try {
    const { key, index, y, top } = JSON.parse(sessionStorage.getItem(nameOf(address)) ?? '{}');
    keepPosition(address, null);
    // @ts-ignore: it is of a navigation.
    const { type } = performance.getEntriesByType('navigation')[0] ?? {};
    return /^(reload|back_forward)$/.test(type) && typeof key === 'string' && [index, y, top].every(Number.isFinite) ? { key, index, y, top } : null;
  } catch (error) {
    console.info(error);
    return null;
  }
}
