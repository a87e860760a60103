/**
 * What a person did to rows and the server has not yet confirmed, stored by the browser: it is sent once there is a
 * connection, also after the page was reloaded or closed.
 *
 * @typedef {object} StoredAct
 * @property {string} key of the wish: sent twice, it is done once
 * @property {string} action its name
 * @property {string} row the key of the row
 * @property {string} title what the row is called
 * @property {string} [undoes] the run that it undoes
 * @property {number} at when it was asked for, in milliseconds since 1970
 */

/** Acts of one list that are stored: the newest. */
const most = 100;

const nameOf = (address) => `refreshable-acts ${address}`;

/** @param {string} address of the list @returns {StoredAct[]} in the order in which they were asked for */
export function storedActs(address) {
  try {
    const stored = JSON.parse(localStorage.getItem(nameOf(address)) ?? '[]');
    return stored.filter(({ key, action, row, at }) => [key, action, row].every((text) => typeof text === 'string') && at > 0);
  } catch (error) {
    // Somebody else may have written it, and a browser may refuse to store anything.
    console.info(error);
    return [];
  }
}

/** @param {string} address @param {StoredAct} act takes the place of an earlier one with its key */
export function storeAct(address, act) {
  write(address, [...without(address, act.key), act].slice(-most));
}

/** @param {string} address @param {string} key of an act that is over */
export function removeAct(address, key) {
  write(address, without(address, key));
}

/** Nothing of a list stays stored: it is no longer shown to this person, or is not to be kept. @param {string} address */
export function forgetActs(address) {
  try {
    localStorage.removeItem(nameOf(address));
  } catch (error) {
    // A browser that may store nothing has nothing stored.
    console.info(error);
  }
}

/** Read again at each change: other tabs show the list, too. */
const without = (address, key) => storedActs(address).filter((act) => act.key !== key);

function write(address, acts) {
  if (!acts.length) return forgetActs(address);
  try {
    localStorage.setItem(nameOf(address), JSON.stringify(acts));
  } catch (error) {
    // It is full, or refused: an act is still sent while the page is open.
    console.info(error);
  }
}
