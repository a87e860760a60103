// Writes down what a page says, hears and shows, in the order in which it happens. It stands before the element's script.
const notes = (window.notes = []);
/** What goes wrong is a note too. */
addEventListener('error', ({ message }) => notes.push({ kind: 'fault', message }));
addEventListener('unhandledrejection', ({ reason }) => notes.push({ kind: 'fault', message: String(reason) }));

const element = () => document.querySelector('refreshable-list');

/** A note gets the phase that is shown once the page is through with what it writes down. */
function note(kind, detail) {
  const written = { kind, at: Math.round(performance.now()), ...detail };
  notes.push(written);
  queueMicrotask(() => { written.phase = element()?.phase; });
}

window.WebSocket = class extends WebSocket {
  set onmessage(listener) {
    super.onmessage = listener && ((event) => {
      const frame = JSON.parse(event.data);
      if (['ok', 'error', 'state', 'welcome'].includes(frame.type)) note('heard', { frame });
      listener(event);
    });
  }

  set onclose(listener) {
    super.onclose = listener && ((event) => {
      note('lost', {});
      listener(event);
    });
  }

  send(data) {
    note('sent', { frame: JSON.parse(data) });
    super.send(data);
  }
};

addEventListener('touchstart', (event) => { window.touched = event.composedPath()[0]; }, { capture: true, passive: true });
for (const type of ['touchstart', 'touchmove', 'touchcancel']) {
  const once = ({ isTrusted, cancelable }) => isTrusted && notes.findLast(({ kind }) => kind === 'touch')?.type !== type && note('touch', { type, cancelable });
  addEventListener(type, once, { capture: true, passive: true });
}

/** The system takes a touch away: no X server does, so this much is played. */
window.lose = () => {
  // WebKitGTK lets no script make a touch.
  const lost = new Event('touchcancel', { bubbles: true, composed: true });
  window.touched.dispatchEvent(Object.assign(lost, { touches: [], targetTouches: [], changedTouches: [] }));
};

window.losePointer = () => {
  const pointer = new PointerEvent('pointercancel', { bubbles: true, composed: true, isPrimary: true, pointerType: 'mouse', pointerId: 1 });
  element().dispatchEvent(pointer);
};

addEventListener('DOMContentLoaded', () => {
  const list = element();
  list.addEventListener('pull', ({ detail: { offset, progress, gesture } }) => note('pull', { offset, progress, gesture }));
  list.addEventListener('phasechange', ({ detail: { to } }) => note('turn', { to }));
});

/** What scrolls the list, and how high it is. */
window.stage = {
  get scroller() { return document.querySelector('.inner > main') ?? document.scrollingElement; },
  get height() { return this.scroller.clientHeight; },
};
