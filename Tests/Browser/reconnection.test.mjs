import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { Reconnection } = await load('connection/reconnection.js');

function reconnection(chance = 1) {
  return new Reconnection(() => chance);
}

test('the first return after a loss is within two seconds', () => {
  for (const [chance, wait] of [[0, 0], [0.5, 1000], [1, 2000]]) {
    const policy = reconnection(chance);
    policy.opened(0);
    assert.equal(policy.closed(1006, 60_000), wait);
  }
});

test('later ones wait longer, up to thirty seconds', () => {
  const policy = reconnection();
  policy.opened(0);
  const waits = Array.from({ length: 8 }, () => policy.closed(1006, 60_000));
  assert.deepEqual(waits, [2000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('a server that drops at once is not met by first returns for ever', () => {
  const policy = reconnection();
  const waits = [0, 1, 2, 3].map((i) => (policy.opened(i * 1000), policy.closed(1006, i * 1000 + 10)));
  assert.deepEqual(waits, [2000, 2000, 4000, 8000]);
});

test('a connection that lived makes the next wait short again', () => {
  const policy = reconnection();
  for (let i = 0; i < 5; i += 1) policy.closed(1006, 0);
  policy.opened(0);
  assert.equal(policy.closed(1006, 10_000), 2000);
});

test('codes from 4000 stay away', () => {
  assert.equal(reconnection().closed(4000, 0), null);
  assert.equal(reconnection().closed(4099, 0), null);
});

test('codes from 4100 back off', () => {
  const policy = reconnection();
  policy.opened(0);
  assert.deepEqual([policy.closed(4100, 0), policy.closed(4101, 0), policy.closed(4104, 0)], [1000, 2000, 4000]);
});

test('a goodbye says when to come back, or not to', () => {
  assert.equal(reconnection(0.25).closed(4200, 0, { reconnect: true, after: [1000, 9000] }), 3000);
  assert.equal(reconnection().closed(4200, 0, { reconnect: false }), null);
});

test('a person who returns makes the next wait small', () => {
  const policy = reconnection();
  for (let i = 0; i < 6; i += 1) policy.closed(1006, 0);
  policy.encourage();
  assert.equal(policy.closed(1006, 0), 1000);
});
