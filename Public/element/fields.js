/** Whether an element takes what is typed, so that keys are its own. @param {any} target of an event */
export const isField = (target) => Boolean(target.matches?.('input, textarea, select, [contenteditable]'));
