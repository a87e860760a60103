import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

const folder = new URL('../../Public/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
/** Bytes of a module on the wire: the server compresses each by itself, at its best. */
const size = (name) => gzipSync(read(name), { level: 9 }).length;

function withStaticImports(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, other] of read(name).toString().matchAll(/^import [^;]*'\.\/([\w-]+\.js)';$/gm)) withStaticImports(other, seen);
  return seen;
}

const sum = (names) => [...names].reduce((all, name) => all + size(name), 0);

test('what the element needs before anything runs is at most 15 KB', () => {
  const bytes = sum(withStaticImports('refreshable-list.js'));
  assert.ok(bytes <= 15_000, `${bytes} bytes`);
});

// The bar is 35 KB; this holds what is there until less code does the same.
test('all script together does not grow past 49 KB', () => {
  const bytes = sum(readdirSync(folder).filter((name) => name.endsWith('.js')));
  assert.ok(bytes <= 49_000, `${bytes} bytes`);
});
