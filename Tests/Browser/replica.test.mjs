import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from './seeded_random.mjs';
import { load } from './load.mjs';

const { Replica } = await load('connection/replica.js');

const row = (key, position, title = key) => ({ key, position, fields: { title } });
const snapshot = (revision, rows, more) => ({ type: 'snapshot', list: 'l', epoch: 'e', revision, rows, last: true, ...more });
const patch = (from, revision, set, remove = [], more) => ({ type: 'patch', list: 'l', epoch: 'e', from, revision, set, remove, last: true, ...more });
const keys = (replica) => replica.rows.map(({ key }) => key).join('');

function filled(rows = [row('a', 10), row('b', 20), row('c', 30)]) {
  const replica = new Replica();
  replica.apply(snapshot(5, rows));
  return replica;
}

test('a snapshot replaces what is there', () => {
  const replica = filled();
  assert.equal(replica.apply(snapshot(9, [row('z', 1), row('a', 2)])).effect, 'applied');
  assert.equal(keys(replica), 'za');
  assert.deepEqual(replica.resume, { epoch: 'e', revision: 9 });
});

test('rows are in order of position', () => {
  const replica = filled();
  replica.apply(patch(5, 6, [{ key: 'c', position: 1 }, row('n', 15)]));
  assert.equal(keys(replica), 'canb');
});

test('a set without fields only moves', () => {
  const replica = filled();
  const { changes } = replica.apply(patch(5, 6, [{ key: 'a', position: 99 }]));
  assert.deepEqual(changes, { inserted: [], changed: [], moved: ['a'], removed: [] });
  assert.equal(replica.rows.at(-1).fields.title, 'a');
});

test('a patch from an older base is harmless', () => {
  const replica = filled();
  assert.equal(replica.apply(patch(2, 6, [row('b', 20, 'B'), row('n', 5)], ['c', 'gone'])).effect, 'applied');
  assert.equal(keys(replica), 'nab');
});

test('a patch that is known already is ignored', () => {
  const replica = filled();
  const twice = patch(5, 6, [], ['a']);
  replica.apply(twice);
  assert.equal(replica.apply(twice).effect, 'old');
  assert.equal(replica.apply(patch(3, 4, [row('x', 1)])).effect, 'old');
  assert.equal(keys(replica), 'bc');
});

test('a gap asks to watch from where we are', () => {
  const replica = filled();
  assert.equal(replica.apply(patch(7, 8, [row('x', 1)])).effect, 'behind');
  assert.deepEqual(replica.resume, { epoch: 'e', revision: 5 });
  assert.equal(keys(replica), 'abc');
});

test('another epoch asks to watch anew, and the rows stay meanwhile', () => {
  const replica = filled();
  assert.equal(replica.apply(patch(5, 6, [], ['a'], { epoch: 'f' })).effect, 'lost');
  assert.deepEqual(replica.resume, {});
  assert.equal(keys(replica), 'abc');
  replica.apply(snapshot(1, [row('q', 1)], { epoch: 'f' }));
  assert.deepEqual(replica.resume, { epoch: 'f', revision: 1 });
});

test('moving an unknown row asks to watch anew and changes nothing', () => {
  const replica = filled();
  assert.equal(replica.apply(patch(5, 6, [{ key: 'unknown', position: 1 }, row('n', 2)])).effect, 'lost');
  assert.equal(keys(replica), 'abc');
  assert.deepEqual(replica.resume, {});
});

test('a wrong count asks to watch anew', () => {
  assert.equal(filled().apply(patch(5, 6, [row('n', 5)], [], { count: 9 })).effect, 'lost');
});

test('parts are held until the last', () => {
  const replica = filled();
  assert.equal(replica.apply(patch(5, 6, [row('n', 5)], [], { last: false })).effect, 'held');
  assert.equal(keys(replica), 'abc');
  assert.equal(replica.apply(patch(5, 6, [row('m', 6)], ['a'], { count: 4 })).effect, 'applied');
  assert.equal(keys(replica), 'nmbc');
});

test('parts of an answer that was cut off are forgotten', () => {
  const replica = filled();
  replica.apply(snapshot(8, [row('x', 1)], { last: false }));
  replica.begin();
  replica.apply(snapshot(9, [row('y', 1)]));
  assert.equal(keys(replica), 'y');
});

test('keys are compared as they are written', () => {
  const replica = filled([row('\u00e9', 1), row('e\u0301', 2)]);
  assert.equal(replica.count, 2);
});

test('any patches, folded and repeated, end in the rows of the server', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  const random = chance(seed);
  for (let round = 0; round < 200; round += 1) {
    const server = new Server(random);
    const replica = new Replica();
    replica.apply(server.snapshot());
    for (let step = 0; step < 30; step += 1) {
      server.edit();
      if (random() < 0.6) deliver(server, replica, random);
    }
    deliver(server, replica, random);
    assert.deepEqual(replica.rows.map(({ key, fields }) => [key, fields.title]), server.ordered, `SEED=${seed} round ${round}`);
  }
});

/** Sends what is newer than some base the page is past, in parts, now and then twice. */
function deliver(server, replica, random) {
  const base = Math.floor(random() * (replica.revision + 1));
  const parts = server.patch(base, random);
  for (const frame of random() < 0.3 ? [...parts, ...parts] : parts) {
    assert.ok(['applied', 'held', 'old'].includes(replica.apply(frame).effect));
  }
}

/** The least that folds as a server does: each row with the revisions of its fields and position, and tombstones. */
class Server {
  revision = 0;
  rows = new Map();
  dead = new Map();

  constructor(random) {
    this.random = random;
  }

  get ordered() {
    return [...this.rows.values()].sort((a, b) => a.position - b.position).map(({ key, title }) => [key, title]);
  }

  edit() {
    this.revision += 1;
    const key = 'abcdefghij'[Math.floor(this.random() * 10)];
    const known = this.rows.get(key);
    const position = Math.floor(this.random() * 1e6) * 10 + key.charCodeAt(0) - 97;
    if (known && this.random() < 0.3) {
      this.rows.delete(key);
      this.dead.set(key, this.revision);
    } else if (known && this.random() < 0.5) this.rows.set(key, { ...known, position, moved: this.revision });
    else {
      this.rows.set(key, { key, position, title: `t${this.revision}`, moved: this.revision, changed: this.revision });
      this.dead.delete(key);
    }
  }

  snapshot() {
    return snapshot(this.revision, [...this.rows.values()].map(({ key, position, title }) => row(key, position, title)));
  }

  patch(base, random) {
    const set = [...this.rows.values()].filter(({ moved, changed }) => Math.max(moved, changed) > base)
      .map(({ key, position, title, changed }) => (changed > base ? row(key, position, title) : { key, position }));
    const remove = [...this.dead].filter(([, revision]) => revision > base).map(([key]) => key);
    const cut = Math.floor(random() * (set.length + 1));
    const parts = [patch(base, this.revision, set.slice(0, cut), [], { last: false }), patch(base, this.revision, set.slice(cut), remove, { count: this.rows.size })];
    return random() < 0.5 ? parts : [patch(base, this.revision, set, remove, { count: this.rows.size })];
  }
}

test('a part of a long list says where it lies', () => {
  const replica = filled();
  assert.equal(replica.total, null);
  replica.apply(snapshot(6, [row('m', 500)], { first: 40, total: 900 }));
  assert.deepEqual([replica.first, replica.total, replica.count], [40, 900, 1]);
  replica.apply(patch(6, 7, [], [], { first: 41, total: 901, count: 1 }));
  assert.deepEqual([replica.first, replica.total], [41, 901]);
  replica.apply(snapshot(8, [row('a', 1)]));
  assert.deepEqual([replica.first, replica.total], [0, null]);
});

test('rows that come without fields are those that are here', () => {
  const replica = filled();
  const { fields } = replica.rows[1];
  const { effect, changes } = replica.apply(snapshot(6, [{ key: 'b', position: 20 }, row('d', 40)], { first: 1, total: 9 }));
  assert.equal(effect, 'applied');
  assert.equal(replica.rows[0].fields, fields);
  assert.deepEqual(changes, { inserted: ['d'], changed: [], moved: [], removed: ['a', 'c'] });
  assert.equal(replica.apply(snapshot(7, [{ key: 'z', position: 1 }], { first: 0, total: 9 })).effect, 'lost');
  assert.equal(keys(replica), 'bd');
  assert.deepEqual(replica.resume, {});
});
