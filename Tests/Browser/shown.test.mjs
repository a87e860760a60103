import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { shown, isOver } = await load('shown.js');

const primed = { phase: 'primed', progress: 1 };
const cases = [
  ['nothing is known: waiting', null, null, 'waiting'],
  ['the list loads: loading, whatever the finger does', 'loading', primed, 'loading'],
  ['the list closes and no finger is down: closing', 'closing', null, 'closing'],
  ['the list closes and a newer finger is down: the finger’s', 'closing', primed, 'primed'],
  ['the list waits and a finger is down: the finger’s', 'waiting', primed, 'primed'],
  ['the list waits: waiting', 'waiting', null, 'waiting'],
];
for (const [rule, phase, own, expected] of cases) {
  test(rule, () => assert.equal(shown(phase && { phase }, own).phase, expected));
}

test('a run is over when the last run is it or a later one', () => {
  const last = (run) => ({ last: { run } });
  assert.equal(isOver('r7', null), false);
  assert.equal(isOver('r7', {}), false);
  assert.equal(isOver('r7', last('r6')), false);
  assert.equal(isOver('r7', last('r7')), true);
  assert.equal(isOver('r9', last('r10')), true);
});
