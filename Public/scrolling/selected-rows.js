/**
 * The rows that a selection of text begins and ends in.
 * @param {HTMLElement} list whose rows have their `data-key`
 * @param {import('../connection/replica.js').Row[]} rows
 * @returns {{start: number, end: number} | null} their places among the rows; null: nothing is selected, or not here alone
 */
export function selectedRows(list, rows) {
  /** @type {any} */
  const root = list.getRootNode();
  // Chromium sees into a shadow tree only so.
  const selection = root.getSelection?.() ?? getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getComposedRanges?.({ shadowRoots: root instanceof ShadowRoot ? [root] : [] })[0] ?? selection.getRangeAt(0);
  const places = [range.startContainer, range.endContainer].map((node) => {
    const row = (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest('[data-key]');
    return row && list.contains(row) ? rows.findIndex(({ key }) => key === row.dataset.key) : -1;
  });
  const [start, end] = places.filter((at) => at >= 0).sort((a, b) => a - b);
  return start === undefined ? null : { start, end: end ?? start };
}
