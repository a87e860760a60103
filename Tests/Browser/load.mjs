import { readFileSync } from 'node:fs';

/**
 * Imports one module of Public, with those that it imports. As text: Node before 20.19 takes a .js file without a
 * package.json for CommonJS.
 */
export const load = (name) => import(address(name));

/** A module's text as an address that can be imported. */
function address(name, from = new URL('../../Public/', import.meta.url)) {
  const file = new URL(name, from);
  const source = readFileSync(file, 'utf8');
  const whole = source.replace(/(?<=^import [^;]*')\.\.?\/[\w./-]+\.js(?=';$)/gm, (other) => address(other, file));
  return `data:text/javascript;base64,${Buffer.from(whole).toString('base64')}`;
}
