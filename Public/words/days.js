import { dayOf, lazy } from './time.js';

/**
 * Days as people say them in a language: “Today”, “Yesterday”, “Monday” within a week, else the date, with the year where it
 * isn't this one.
 * @param {string} locale as “de-AT”
 * @returns {(time: number, now?: number) => string} of milliseconds since 1970
 */
export function days(locale) {
  const relative = lazy(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }), 'format');
  const dates = (options) => lazy(() => new Intl.DateTimeFormat(locale, options), 'format');
  const weekday = dates({ weekday: 'long' });
  const near = dates({ day: 'numeric', month: 'long' });
  const far = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const told = (time, now) => {
    const apart = dayOf(time) - dayOf(now);
    if (Math.abs(apart) < 2) return relative(apart, 'day');
    if (apart < 0 && apart > -7) return weekday(time);
    return (new Date(time).getFullYear() === new Date(now).getFullYear() ? near : far)(time);
  };
  return (time, now = Date.now()) => told(time, now).replace(/^\p{L}/u, (letter) => letter.toLocaleUpperCase(locale));
}
