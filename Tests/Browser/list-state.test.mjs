import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { displayedState, ignoringPages, isOver } = await load('connection/list-state.js');

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
  test(rule, () => assert.equal(displayedState(phase && { phase }, own).phase, expected));
}

test('while a page loads at the end of a list, it waits at the top, and gestures hear of the refresh before', () => {
  const refreshed = ignoringPages({ phase: 'closing', run: 'r7', last: { run: 'r7' } }, null);
  assert.deepEqual([refreshed.phase, refreshed.heard], ['closing', 'r7']);
  const states = [
    { phase: 'loading', run: 'r8', cause: 'more', last: { run: 'r7' } },
    { phase: 'closing', run: 'r8', last: { run: 'r8', cause: 'more' } },
    { phase: 'waiting', last: { run: 'r8', cause: 'more' } },
  ].map((state) => ignoringPages(state, refreshed.heard));
  for (const { phase, heard } of states) assert.deepEqual([phase, heard], ['waiting', 'r7']);
  const next = ignoringPages({ phase: 'loading', run: 'r9', cause: 'pull', last: { run: 'r8', cause: 'more' } }, 'r7');
  assert.deepEqual([next.phase, next.heard], ['loading', 'r9']);
});

test('a run is over when the last run is it or a later one', () => {
  const last = (run) => ({ last: { run } });
  assert.equal(isOver('r7', null), false);
  assert.equal(isOver('r7', {}), false);
  assert.equal(isOver('r7', last('r6')), false);
  assert.equal(isOver('r7', last('r7')), true);
  assert.equal(isOver('r9', last('r10')), true);
});
