/**
 * The buttons that share a list's refresh action, as `<button command="--refresh">`: those inside the element, of which
 * the nearest list is the one meant, and those elsewhere that name it by `commandfor`. Where there is no action they
 * are disabled.
 */
const refreshes = '[command="--refresh"]';

/** Those that we disabled; what a page disabled itself stays so. @type {WeakSet<Element>} */
const ours = new WeakSet();

// Safari before 26.2 has no `commandfor`.
if (!('commandForElement' in HTMLButtonElement.prototype)) {
  addEventListener('click', (event) => {
    const control = event.composedPath()[0].closest?.(`${refreshes}[commandfor]:enabled`);
    const host = control?.getRootNode().getElementById(control.getAttribute('commandfor'));
    host?.dispatchEvent(Object.assign(new Event('command'), { command: '--refresh' }));
  });
}

/** @param {Event} event @param {HTMLElement} host @returns {boolean} whether it clicked a control inside the list */
export function isAsked({ target }, host) {
  const control = target instanceof Element && target.closest(`${refreshes}:not([commandfor])`);
  return Boolean(control) && !control.disabled && control.closest(host.localName) === host;
}

/** @param {HTMLElement} host @param {boolean} isOffered whether the list has an action */
export function offer(host, isOffered) {
  for (const control of [...inside(host), ...elsewhere(host)]) {
    if (!isOffered && !control.disabled) {
      control.disabled = true;
      ours.add(control);
    } else if (isOffered && ours.delete(control)) control.disabled = false;
  }
}

function inside(host) {
  const controls = [...host.querySelectorAll(`${refreshes}:not([commandfor])`)];
  return controls.filter((control) => control.closest(host.localName) === host);
}

function elsewhere(host) {
  return host.id ? host.getRootNode().querySelectorAll(`${refreshes}[commandfor="${CSS.escape(host.id)}"]`) : [];
}
