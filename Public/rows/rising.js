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
