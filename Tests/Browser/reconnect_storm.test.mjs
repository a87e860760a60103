import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from './seeded_random.mjs';
import { load } from './load.mjs';

const { Reconnection } = await load('connection/reconnection.js');

const pages = 1000;
const seed = Number(process.env.SEED ?? Date.now() % 1e6);

/**
 * A thousand pages that lose their server at one moment, and come back by the rule alone. No clock runs: the next try of
 * all is taken from the list, and the page told what came of it.
 *
 * @param {{code?: number, goodbye?: object}} loss how the server was lost, by pages that had it for a minute
 * @param {(now: number) => number | null} meet what becomes of a try: null, it is in; or the code of its end
 * @returns {{tries: number[], times: number[]}} when they tried, and when they came in: milliseconds since the loss
 */
function comeBack({ code = 1006, goodbye } = {}, meet = () => null) {
  const random = chance(seed);
  const [tries, times] = [[], []];
  let waiting = Array.from({ length: pages }, () => {
    const policy = new Reconnection(random);
    policy.opened(-60_000);
    return { policy, at: policy.closed(code, 0, goodbye) };
  });
  while (waiting.length > 0) {
    waiting.sort((a, b) => a.at - b.at);
    const next = waiting[0];
    tries.push(next.at);
    const end = meet(next.at);
    if (end === null) {
      times.push(next.at);
      waiting.shift();
    } else {
      // What is turned away with a code was open before; what does not listen was not.
      if (end >= 4000) next.policy.opened(next.at);
      next.at += next.policy.closed(end, next.at);
    }
  }
  return { tries, times };
}

/** The share of the pages in each slot of time, from the first slot that has one. */
function shares(times, slot) {
  const first = Math.floor(Math.min(...times) / slot);
  const counts = Array(Math.floor(Math.max(...times) / slot) - first + 1).fill(0);
  for (const time of times) counts[Math.floor(time / slot) - first] += 1;
  return counts.map((count) => count / pages);
}

const percent = (list) => list.map((share) => `${(share * 100).toFixed(1)} %`).join(' ');

test('after a lost server, a tenth of a second brings no more than a twelfth of the pages', (t) => {
  const { times } = comeBack();
  t.diagnostic(`SEED=${seed}, each 100 ms: ${percent(shares(times, 100))}`);
  assert.ok(Math.max(...times) < 2000, `SEED=${seed}`);
  assert.ok(Math.max(...shares(times, 100)) < 1 / 12, `SEED=${seed}`);
});

test('after a goodbye, no second brings more than a sixth of them: they come within eight', (t) => {
  const { times } = comeBack({ code: 4200, goodbye: { reconnect: true, after: [0, 8000] } });
  t.diagnostic(`SEED=${seed}, each second: ${percent(shares(times, 1000))}`);
  assert.ok(Math.max(...times) < 8000, `SEED=${seed}`);
  assert.ok(Math.max(...shares(times, 1000)) < 1 / 6, `SEED=${seed}`);
});

test('a server that was away for a minute is met by no more than a tenth of them in any second', (t) => {
  const { tries, times } = comeBack({}, (now) => (now < 60_000 ? 1006 : null));
  t.diagnostic(`SEED=${seed}, tries in each second: ${percent(shares(tries, 1000))}`);
  assert.ok(Math.max(...times) < 90_000, `SEED=${seed}`);
  assert.ok(Math.max(...shares(times, 1000)) < 1 / 10, `SEED=${seed}`);
});

test('a server that takes fifty of them a second, and turns away the others, has all of them within a minute', (t) => {
  for (const refusal of [1006, 4100]) {
    let [second, taken] = [0, 0];
    const { tries, times } = comeBack({}, (now) => {
      if (Math.floor(now / 1000) !== second) [second, taken] = [Math.floor(now / 1000), 0];
      taken += 1;
      return taken <= 50 ? null : refusal;
    });
    t.diagnostic(`SEED=${seed}, ${refusal}: the last after ${(Math.max(...times) / 1000).toFixed(1)} s, ${(tries.length / pages).toFixed(2)} tries each`);
    assert.ok(Math.max(...times) < 60_000, `SEED=${seed}`);
    assert.ok(tries.length < 6 * pages, `SEED=${seed}`);
  }
});
