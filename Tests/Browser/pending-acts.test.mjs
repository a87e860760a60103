import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { PendingActs, inverse } = await load('actions/pending-acts.js');
const { displaced, fullAt, restOf } = await load('actions/swipe-rest.js');
const { UndoOffers } = await load('actions/undo-offers.js');

const row = (key, position, more) => ({ key, position, fields: { title: key, ...more } });
const rows = [row('a', 10), row('b', 20, { badge: '2' }), row('c', 30)];
const keys = (shown) => shown.map(({ key }) => key).join('');
const replica = { epoch: 'e', revision: 5 };
const closing = (more) => ({ type: 'act', run: 'r1', phase: 'closing', outcome: 'success', revision: 6, ...more });
const running = { type: 'ok', run: 'r1' };

function acting(effect = 'remove', more = {}) {
  const pending = new PendingActs();
  const act = { key: 'k1', action: 'done', row: 'b', title: 'b', at: 0, effect, before: rows[1], ...more };
  pending.add(act);
  return { pending, act };
}

test('without acts the rows are the same array', () => {
  assert.equal(new PendingActs().show(rows), rows);
});

test('an effect is shown at once, before the server has answered', () => {
  assert.equal(keys(acting().pending.show(rows)), 'ac');
  const { pending } = acting({ badge: '!', mark: 1, title: null });
  assert.deepEqual(pending.show(rows)[1].fields, { badge: '!', mark: 1 });
});

test('an act without an effect shows nothing, and is known to be on its row', () => {
  const { pending, act } = acting(null);
  assert.deepEqual(pending.show(rows), rows);
  assert.equal(pending.on('b'), act);
  assert.equal(pending.on('a'), undefined);
});

test('fields that are merged stay the same object until the row changes', () => {
  const { pending } = acting({ badge: '!' });
  const [, { fields }] = pending.show(rows);
  assert.equal(pending.show(rows)[1].fields, fields);
  const changed = [rows[0], row('b', 20, { badge: '3', other: 1 }), rows[2]];
  assert.deepEqual(pending.show(changed)[1].fields, { title: 'b', badge: '!', other: 1 });
});

test('a failure takes the effect back at once', () => {
  const { pending, act } = acting();
  assert.equal(pending.answered(act, running), null);
  const error = { code: 'failed', message: 'Full.' };
  const over = pending.receive(closing({ outcome: 'failure', error, revision: undefined }), replica);
  assert.deepEqual(over.map(([one, { outcome, error: told }]) => [one, outcome, told]), [[act, 'failure', error]]);
  assert.equal(pending.show(rows), rows);
});

test('a success is shown by us until its revision is here', () => {
  const { pending, act } = acting();
  pending.answered(act, running);
  assert.equal(pending.receive(closing(), replica).length, 1);
  assert.deepEqual(pending.unfinished, []);
  assert.equal(keys(pending.show(rows)), 'ac');
  pending.arrived({ epoch: 'e', revision: 5, rows });
  assert.equal(keys(pending.show(rows)), 'ac', 'a patch from before the act brings the row back');
  pending.arrived({ epoch: 'e', revision: 6, rows });
  assert.equal(pending.show(rows), rows);
});

test('a success whose revision is here already is no longer shown by us', () => {
  for (const frame of [closing({ revision: 5 }), closing({ revision: undefined })]) {
    const { pending, act } = acting();
    pending.answered(act, running);
    pending.receive(frame, replica);
    assert.equal(pending.show(rows), rows);
  }
});

test('fields that arrive as we showed them are not drawn again', () => {
  const { pending, act } = acting({ badge: '!' });
  const [, { fields }] = pending.show(rows);
  pending.answered(act, running);
  pending.receive(closing(), replica);
  const arrived = [rows[0], row('b', 20, { badge: '!' }), rows[2]];
  pending.arrived({ epoch: 'e', revision: 6, rows: arrived });
  assert.equal(pending.show(arrived)[1].fields, fields);
});

test('rows of another epoch have all that was done before', () => {
  const { pending, act } = acting();
  pending.answered(act, running);
  pending.receive(closing({ revision: 900 }), replica);
  pending.arrived({ epoch: 'f', revision: 1, rows });
  assert.equal(pending.show(rows), rows);
});

test('a run that two acts joined ends both', () => {
  const { pending, act } = acting();
  const other = { ...act, key: 'k2' };
  pending.add(other);
  pending.answered(act, running);
  pending.answered(other, { ...running, joined: true });
  assert.equal(pending.receive(closing(), replica).length, 2);
});

test('a frame of a run that is not ours ends nothing', () => {
  const { pending, act } = acting();
  assert.deepEqual(pending.receive(closing(), replica), [], 'it was not answered yet');
  pending.answered(act, running);
  assert.deepEqual(pending.receive(closing({ run: 'r2' }), replica), []);
  assert.deepEqual(pending.unfinished, [act]);
});

test('progress is kept, and ends nothing', () => {
  const { pending, act } = acting(null);
  pending.answered(act, running);
  assert.deepEqual(pending.receive({ run: 'r1', phase: 'loading', completed: 1, total: 3 }, replica), []);
  assert.equal(act.progress.total, 3);
});

test('an answer without a run ends an act by its reason, an error by its code', () => {
  for (const reason of ['gone', 'refused', 'spent']) {
    const { pending, act } = acting();
    assert.deepEqual(pending.answered(act, { type: 'ok', run: null, reason, message: 'No.' }), { outcome: reason, error: { message: 'No.' } });
    assert.equal(pending.show(rows), rows);
  }
  const { pending, act } = acting();
  const { outcome, error } = pending.answered(act, { type: 'error', code: 'forbidden', message: 'No.', retry: 'never' });
  assert.deepEqual([outcome, error.code], ['failure', 'forbidden']);
  assert.equal(pending.show(rows), rows);
});

test('an error that passes leaves an act as it is, to be sent again', () => {
  const { pending, act } = acting();
  assert.equal(pending.answered(act, { type: 'error', code: 'rateLimited', retry: 'later', after: 100 }), null);
  assert.equal(act.run, undefined);
  assert.deepEqual(pending.unfinished, [act]);
});

test('undoing a removal brings the row back to its place, before the server does', () => {
  const { pending, act } = acting();
  pending.answered(act, running);
  pending.receive(closing(), replica);
  pending.add({ ...act, key: 'k2', undoes: 'r1', effect: inverse(act) });
  assert.equal(keys(pending.show(rows)), 'abc', 'while the removal has yet to arrive');
  pending.arrived({ epoch: 'e', revision: 6, rows });
  assert.equal(keys(pending.show([rows[0], rows[2]])), 'abc', 'once it has');
});

test('undoing fields sets what they were, and takes away those that were not there', () => {
  const { act } = acting({ badge: '!', mark: 1 });
  assert.deepEqual(inverse(act), { badge: '2', mark: null });
});

test('acts on one row add up in the order in which they were asked for', () => {
  const { pending } = acting({ badge: '!' });
  pending.add({ key: 'k2', action: 'x', row: 'b', title: 'b', at: 1, effect: { badge: '?', mark: 1 } });
  assert.deepEqual(pending.show(rows)[1].fields, { title: 'b', badge: '?', mark: 1 });
});

const extent = { width: 160, row: 360, isFull: true };

test('a row follows the finger, and resists beyond what there is', () => {
  assert.equal(displaced(-20, extent), 0);
  for (const travel of [0, 100, 160, 300]) assert.equal(displaced(travel, extent), travel);
  const beyond = displaced(260, { ...extent, isFull: false });
  assert.ok(beyond > 160 && beyond < 230, beyond);
});

test('where a row comes to rest is decided by position and speed', () => {
  assert.equal(restOf(60, 0, extent), 'shut');
  assert.equal(restOf(100, 0, extent), 'open');
  assert.equal(restOf(40, 0.6, extent), 'open', 'flung open');
  assert.equal(restOf(150, -0.8, extent), 'shut', 'flung shut');
  assert.equal(restOf(40, 0, { ...extent, width: 76 }, false), 'open', 'half of one action is enough');
  assert.equal(restOf(120, 0, { ...extent, width: 240 }, false), 'open');
  assert.equal(restOf(120, 0, { ...extent, width: 240 }, true), 'shut', 'moved back by as much');
});

test('a swipe over all of a row does the first action, unless it goes back or may not', () => {
  const at = fullAt(extent);
  assert.ok(at > extent.width && at < extent.row, at);
  assert.equal(restOf(at, 0, extent), 'full');
  assert.equal(restOf(at - 1, 0, extent), 'open');
  assert.equal(restOf(at, -0.5, extent), 'open');
  assert.equal(restOf(at, 3, { ...extent, isFull: false }), 'open');
});

test('the newest act is the first to be undone, and none whose time is over follows', () => {
  const offers = new UndoOffers();
  offers.add('old', 100);
  offers.add('middle', 900);
  offers.add('new', 1000);
  assert.equal(offers.take(500).act, 'new');
  assert.equal(offers.take(500).act, 'middle');
  assert.equal(offers.newest, undefined, 'it could be undone till 100');
});
