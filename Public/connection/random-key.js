/** `crypto.randomUUID` does not exist over plain HTTP on a LAN address; `getRandomValues` does. */
export function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('');
}
