/**
 * The buttons that share a list's refresh action, as `<button command="--refresh">`: those inside the element, of which
 * the nearest list is the one meant, and those elsewhere that name it by `commandfor`. Where there is no action they
 * are disabled.
 */
const refreshes = '[command="--refresh"]';

/** The buttons that we disabled for a list; those that a page disabled itself stay disabled. @type {WeakMap<Element, Set<HTMLButtonElement>>} */
const disabled = new WeakMap();

// Safari before 26.2 has no `commandfor`.
if (!('commandForElement' in HTMLButtonElement.prototype)) {
  addEventListener('click', (event) => {
    /** @type {any[]} */
    const [target] = event.composedPath();
    const control = target.closest?.(`${refreshes}[commandfor]:enabled`);
    const host = control?.getRootNode().getElementById(control.getAttribute('commandfor'));
    host?.dispatchEvent(Object.assign(new Event('command'), { command: '--refresh' }));
  });
}

/** @param {{target: any}} event @param {HTMLElement} host @returns {boolean} whether it clicked a control inside the list */
export function isRefreshClick({ target }, host) {
  /** @type {any} */
  const control = target instanceof Element && target.closest(`${refreshes}:not([commandfor])`);
  return Boolean(control) && !control.disabled && control.closest(host.localName) === host;
}

/**
 * Called whenever something was painted: nothing is looked for while there is an action.
 * @param {HTMLElement} host
 * @param {boolean} isOffered whether the list has an action
 */
export function enableRefreshButtons(host, isOffered) {
  const ours = disabled.get(host) ?? new Set();
  disabled.set(host, ours);
  for (const control of isOffered ? ours : [...inside(host), ...elsewhere(host)]) {
    if (!control.disabled) ours.add(control);
    control.disabled = !isOffered;
  }
  if (isOffered) ours.clear();
}

function inside(host) {
  const controls = [...host.querySelectorAll(`${refreshes}:not([commandfor])`)];
  return controls.filter((control) => control.closest(host.localName) === host);
}

function elsewhere(host) {
  return host.id ? host.getRootNode().querySelectorAll(`${refreshes}[commandfor="${CSS.escape(host.id)}"]`) : [];
}
