/** What the element says in other languages than English: each has the keys of words.js. */
export const languages = {};
