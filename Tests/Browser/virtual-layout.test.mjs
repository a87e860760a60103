import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from './seeded_random.mjs';
import { load } from './load.mjs';

const { VirtualLayout, highest } = await load('scrolling/virtual-layout.js');

/** A long list, of which some rows are drawn where they belong. */
function shown(total, first, count, rowHeight = 60) {
  const layout = new VirtualLayout();
  layout.draw({ total, first: 0, count }, count * rowHeight);
  layout.draw({ total, first, count }, count * rowHeight);
  layout.correct(0);
  return layout;
}

test('the room above and below is what the other rows would take', () => {
  const layout = shown(10_000, 4000, 100);
  assert.deepEqual([layout.extent, layout.above, layout.below], [600_000, 240_000, 354_000]);
  assert.deepEqual([shown(10_000, 0, 100).above, shown(10_000, 9900, 100).below], [0, 0]);
});

test('a million rows are no higher than a browser bears, and each has its place', () => {
  const layout = shown(1_000_000, 500_000, 100);
  assert.equal(layout.extent, highest);
  assert.equal(layout.above + layout.drawn + layout.below, highest);
  assert.ok(highest < 2 ** 29 / 60, 'nor is any spacer, which may be nearly all of it');
  assert.deepEqual([0, highest / 4, highest - 1].map((y) => Math.round(layout.indexAt(y) / 1000)), [0, 250, 1000]);
  assert.equal(layout.indexAt(layout.above + 30), 500_000);
  assert.equal(layout.indexAt(highest * 2), 999_999);
});

test('rows that come above those that stay take their height from the room', () => {
  const layout = shown(10_000, 4000, 100);
  assert.equal(layout.compensate(1800), 0);
  assert.equal(layout.above, 238_200);
  const top = shown(10_000, 5, 100);
  assert.deepEqual([top.compensate(1800), top.above], [1500, 0], 'as far as there is some');
});

test('parts of a pixel are left over', () => {
  const layout = shown(10_000, 4000, 100);
  const left = layout.compensate(0.4);
  assert.equal(layout.above, 240_000);
  assert.ok(Math.abs(left - 0.4) < 1e-6, `${left}`);
});

test('a row that was jumped to is where it was looked for', () => {
  const layout = shown(10_000, 0, 100);
  const index = layout.indexAt(300_000);
  layout.draw({ total: 10_000, first: index - 40, count: 100 }, 6000);
  layout.place(300_000, 40 * 60);
  assert.equal(layout.indexAt(300_001), index);
  assert.equal(layout.correct(100), 0, 'which is where it belongs');
});

test('a drift is settled once it matters, at an end always', () => {
  const layout = shown(10_000, 4000, 100);
  layout.above += 300;
  assert.equal(layout.correct(400), 0);
  assert.equal(layout.correct(200), -300);
  const end = shown(10_000, 9900, 100);
  end.above -= 3;
  assert.equal(end.correct(400), 3);
});

test('rows of another height change the room only where they differ much', () => {
  const layout = shown(10_000, 4000, 100);
  layout.draw({ total: 10_000, first: 4000, count: 100 }, 7000);
  assert.equal(layout.extent, 600_000);
  layout.draw({ total: 10_000, first: 4000, count: 100 }, 12_000);
  assert.equal(layout.extent, 1_200_000);
});

test('below the rows is room as long as there are more', () => {
  const layout = shown(10_000, 4000, 100);
  layout.above = 900_000;
  assert.equal(layout.below, 12_000);
  assert.equal(shown(50, 0, 50).below, 0);
  assert.equal(shown(0, 0, 0).extent, 0);
});

test('whatever is scrolled, the index at a place rises with it', () => {
  const random = chance(7);
  for (let i = 0; i < 200; i += 1) {
    const total = 1 + Math.floor(random() * 2_000_000);
    const count = Math.min(total, 1 + Math.floor(random() * 200));
    const layout = shown(total, Math.floor(random() * (total - count + 1)), count, 20 + random() * 200);
    layout.compensate((random() - 0.5) * 10_000);
    let last = 0;
    for (let step = 0; step <= 40; step += 1) {
      const index = layout.indexAt(((layout.above + layout.drawn + layout.below) * step) / 40);
      assert.ok(index >= last && index < total, `${index} after ${last} of ${total}`);
      last = index;
    }
  }
});
