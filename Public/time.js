/**
 * Times as people say them, in the language of their browser.
 */
const units = [['second', 60], ['minute', 60], ['hour', 24], ['day', 7]];
let relative;

/** Made once it is needed: to make a format costs a hundred times what it costs to use it. */
const dates = (options) => {
  let format;
  return (time) => (format ??= new Intl.DateTimeFormat(undefined, options)).format(time);
};
const near = dates({ day: 'numeric', month: 'short' });
const far = dates({ day: 'numeric', month: 'short', year: 'numeric' });
/** The hour, as “14:03”. Takes milliseconds since 1970. */
export const clock = dates({ hour: 'numeric', minute: '2-digit' });
/** Date and hour in full. Takes milliseconds since 1970. */
export const full = dates({ dateStyle: 'full', timeStyle: 'short' });

/**
 * @param {unknown} value milliseconds since 1970, or ISO 8601 text
 * @returns {number | null} milliseconds since 1970
 */
export function milliseconds(value) {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const time = new Date(/^\d{11,}$/.test(value) ? Number(value) : value).getTime();
  return Number.isNaN(time) ? null : time;
}

/**
 * “just now”, “2 min ago”, “yesterday”, and past a week the date.
 * @param {number} time milliseconds since 1970
 * @param {number} now likewise
 */
export function ago(time, now = Date.now()) {
  relative ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
  let amount = (time - now) / 1000;
  if (Math.abs(amount) < 10) return isEnglish() ? 'just now' : relative.format(0, 'second');
  for (const [unit, size] of units) {
    // “min.” is American; nobody says the dot.
    if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit).replace(/\.(?=\s|$)/g, '');
    amount /= size;
  }
  return date(time, now);
}

function isEnglish() {
  return relative.resolvedOptions().locale.startsWith('en');
}

/** @returns {string} the date, with the year where it isn't this one */
function date(time, now) {
  return (new Date(time).getFullYear() === new Date(now).getFullYear() ? near : far)(time);
}
