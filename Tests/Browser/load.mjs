import { readFileSync } from 'node:fs';

/**
 * Imports one module of Public that itself imports nothing. As text: Node before 20.19 takes a .js file without a
 * package.json for CommonJS.
 */
export function load(name) {
  const source = readFileSync(new URL(`../../Public/${name}`, import.meta.url));
  return import(`data:text/javascript;base64,${source.toString('base64')}`);
}
