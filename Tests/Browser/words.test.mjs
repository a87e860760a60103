import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './load.mjs';

const { age, english, report, result, sentence, speak } = await load('words/words.js');
const { languages } = await load('words/translations.js');
const { tables: ofPage } = await load('page/page-words.js');

/** Texts without those of errors, which English takes as they are sent. */
const tables = Object.fromEntries(Object.entries({ en: english, ...languages }).map(([name, table]) => {
  return [name, Object.fromEntries(Object.entries(table).filter(([key]) => key !== 'errors'))];
}));
/** Words that a language uses as English does. */
const shared = { de: ['offline', 'details'] };
const locales = Object.keys(tables).map((name) => [name, name === 'hant' ? 'zh-TW' : name]);
const afternoon = new Date(2026, 2, 4, 14, 3).getTime();
const over = (last) => ({ updatedAt: afternoon, last: { outcome: 'success', changes: { inserted: 0, changed: 0, moved: 0, removed: 0 }, ...last } });

for (const [name, locale] of locales) {
  const words = speak(locale, languages[name] ?? english);

  test(`${name} has every key and no other`, () => {
    assert.deepEqual(Object.keys(tables[name]).sort(), Object.keys(english).sort());
    assert.deepEqual(Object.keys(ofPage[name]).sort(), Object.keys(ofPage.en).sort());
  });

  test(`${name} has a text for each of our errors`, () => {
    assert.deepEqual(Object.keys(languages[name]?.errors ?? languages.de.errors), Object.keys(languages.de.errors));
  });

  test(`${name} says nothing in English, and leaves no text empty`, () => {
    for (const [key, text] of Object.entries(tables[name])) {
      const forms = typeof text === 'string' ? [text] : Object.values(text);
      assert.ok(forms.every((form) => form.trim().length > 0), key);
      if (name !== 'en' && !shared[name]?.includes(key)) assert.notDeepEqual(text, english[key], key);
    }
  });

  test(`${name} puts as much into its texts as English does`, () => {
    const places = (text) => (text.other ?? text).split('#').length;
    for (const key of Object.keys(ofPage.en)) assert.equal(places(ofPage[name][key]), places(ofPage.en[key]), key);
    for (const key of Object.keys(english)) assert.equal(places(tables[name][key]), places(english[key]), key);
  });

  test(`${name} has the form of every number`, () => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    // French and Spanish have one more for millions.
    const wanted = pluralCategories.filter((form) => form !== 'many' || name === 'ar').sort();
    assert.deepEqual(Object.keys(tables[name].news).sort(), wanted);
    for (const count of [1, 2, 3, 11, 100, 12_345]) {
      const said = words.news(count);
      assert.ok(!said.includes('#') && (said.includes(words.number(count)) || count < 3), said);
    }
  });

  test(`${name} says how a run went, without a share`, () => {
    const inserted = sentence(over({ changes: { inserted: 12 } }), words);
    assert.ok(inserted.includes(words.news(12)) && inserted.includes(words.clock(afternoon)), inserted);
    const none = sentence(over(), words);
    assert.ok(none.includes(words.noNews) && none.includes(words.clock(afternoon)), none);
    const changed = sentence(over({ changes: { inserted: 0, changed: 3 } }), words);
    assert.ok(changed.includes(words.changes(3)) && changed.includes(words.clock(afternoon)), changed);
    assert.equal(result(over({ changes: { changed: 3 } }), words), words.changes(3));
    const removed = over({ changes: { inserted: 0, changed: 0, removed: 3 } });
    assert.equal(sentence(removed, words), words.updated(words.clock(afternoon)));
    assert.equal(result(removed, words), words.upToDate);
    assert.equal(sentence(over({ outcome: 'cancelled' }), words), words.cancelled);
    const failed = sentence(over({ outcome: 'failure', error: { message: 'Closed on $& Sundays #1.' } }), words);
    assert.ok(failed.includes('Closed on $& Sundays #1.'), failed);
    for (const said of [inserted, none, changed, failed]) assert.doesNotMatch(said, /%|undefined|NaN/);
  });

  test(`${name} counts rows by the noun of a list`, () => {
    const noun = { '': { one: 'commit', other: 'commits' }, de: { one: 'Einreichung', other: 'Einreichungen' } };
    const [one, other] = name === 'de' ? ['Einreichung', 'Einreichungen'] : ['commit', 'commits'];
    const told = (changes) => result(over({ changes: { inserted: 0, changed: 0, ...changes } }), words, noun);
    const many = told({ inserted: 1234 });
    assert.ok(many.includes(words.number(1234)) && many.endsWith(other), many);
    // Chinese and Japanese have one form for all numbers.
    if (words.called(noun, 1) === one) assert.ok(new RegExp(`${one}$`).test(told({ inserted: 1 })), told({ inserted: 1 }));
    assert.ok(told({ changed: 3 }).includes(other), told({ changed: 3 }));
    assert.equal(told({}), words.noNews);
    assert.equal(words.called({ xx: { other: 'x' } }, 2), undefined);
  });

  test(`${name} explains our own errors by their code`, () => {
    const sent = { code: 'badStatus', message: 'example.org is busy (status 503).', values: ['example.org', '503'] };
    const said = words.explain(sent);
    assert.ok(said.includes('example.org') && said.includes('503') && !said.includes('#'), said);
    assert.equal(said === sent.message, name === 'en', said);
    for (const other of [{ ...sent, values: ['example.org'] }, { ...sent, values: undefined }, { ...sent, code: 'failed' }]) {
      assert.equal(words.explain(other), sent.message);
    }
    assert.equal(words.explain({}), '');
  });

  test(`${name} tells times in the language`, () => {
    const now = Date.now();
    const said = [0, 30, 120, 7200, 100_000, 900_000].map((seconds) => words.ago(now - seconds * 1000));
    assert.equal(new Set(said).size, said.length, said.join());
    assert.equal(said[0], words.now);
    assert.ok(said.every((text) => !/undefined|Invalid/.test(text)), said.join());
    assert.ok(age({ updatedAt: now - 120_000 }, words).includes(said[2]));
    assert.ok(age({ updatedAt: now, staleSince: now }, words).startsWith(`${words.stale} · `));
  });
}

test('English speaks as the design has it', () => {
  const words = speak('en-GB');
  assert.equal(sentence(over({ changes: { inserted: 12 } }), words), '12 new rows, updated 14:03');
  assert.equal(sentence(over({ changes: { inserted: 1 } }), words), '1 new row, updated 14:03');
  assert.equal(sentence(over(), words), 'No new rows, updated 14:03');
  assert.equal(sentence(over({ outcome: 'failure', error: { message: 'No wind.' } }), words), 'Refresh failed: No wind.');
  assert.equal(sentence(over({ outcome: 'timeout', error: { message: 'Too slow.' } }), words), 'Refresh failed: Too slow.');
  assert.equal(sentence(over({ outcome: 'cancelled' }), words), 'Cancelled');
  assert.equal(report({ completed: 1200, total: 4000, note: 'page 3' }, words), '1,200 of 4,000 · page 3');
  assert.equal(report({ completed: 7 }, words), '7');
  assert.equal(report({ completed: 0, note: 'begins' }, words), 'begins');
});

test('Arabic has its six forms', () => {
  const { news } = speak('ar', languages.ar);
  const said = [0, 1, 2, 3, 11, 100].map((count) => news(count).replace(/[\d٠-٩]+/, '#'));
  assert.deepEqual(said, ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => languages.ar.news[form]));
});

test('a text of the list for closing is said of a success, and of nothing else', () => {
  const words = speak('en');
  assert.equal(result(over({ changes: { inserted: 2 } }), words, undefined, 'There'), 'There');
  assert.equal(result(over({ outcome: 'failure' }), words, undefined, 'There'), words.failed);
  assert.equal(result(over({ outcome: 'cancelled' }), words, undefined, 'There'), words.cancelled);
});

test('a clock behind the server’s has no rows from the future', () => {
  assert.equal(age({ updatedAt: Date.now() + 90_000 }, speak('en')), 'Updated just now');
});
