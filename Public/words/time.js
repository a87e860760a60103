/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const units = [['second', 60], ['minute', 60], ['hour', 24], ['day', 7]];

/**
 * A method of something that is made once it is needed: to make a format costs a hundred times what it costs to use.
 * @template Format
 * @param {() => Format} make
 * @param {keyof Format} name
 */
export function lazy(make, name) {
  let made;
  return (...given) => (made ??= make())[name](...given);
}

/** @param {number} time milliseconds since 1970 @returns {number} the calendar day that it is on here; each next one is 1 more */
export function dayOf(time) {
  const at = new Date(time);
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000;
}

/**
 * Times as people say them in a language. They take milliseconds since 1970.
 * @param {string} locale as “de-AT”
 * @param {string} justNow
 */
export function times(locale, justNow) {
  const dates = (options) => lazy(() => new Intl.DateTimeFormat(locale, options), 'format');
  const near = dates({ day: 'numeric', month: 'short' });
  const far = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const relative = lazy(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }), 'format');
  // “min.” is American; nobody says the dot.
  const said = (text) => (locale.startsWith('en') ? text.replace(/\.(?=\s|$)/g, '') : text);

  /** “just now”, “2 min ago”, “yesterday”, and past a week the date: with the year where it isn't this one. */
  function ago(time, now = Date.now()) {
    let amount = (time - now) / 1000;
    if (Math.abs(amount) < 10) return justNow;
    for (const [unit, size] of units) {
      if (Math.abs(Math.round(amount)) < size) return said(relative(Math.round(amount), unit));
      // Yesterday is a day of the calendar, as in headings.
      amount = size === 24 ? dayOf(time) - dayOf(now) || Math.sign(amount) : amount / size;
    }
    return (new Date(time).getFullYear() === new Date(now).getFullYear() ? near : far)(time);
  }

  return {
    ago,
    /** The hour, as “14:03”. */ clock: dates({ hour: 'numeric', minute: '2-digit' }),
    /** Date and hour in full. */ full: dates({ dateStyle: 'full', timeStyle: 'short' }),
  };
}

/**
 * @param {unknown} value milliseconds since 1970, or ISO 8601 text
 * @returns {number | null} milliseconds since 1970
 */
export function milliseconds(value) {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  // @ts-ignore: a number is tested as text.
  const time = new Date(/^\d{11,}$/.test(value) ? Number(value) : value).getTime();
  return Number.isNaN(time) ? null : time;
}
