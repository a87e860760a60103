// How somebody who writes TypeScript uses the element. It is compiled and never run; each line below
// `@ts-expect-error` is a mistake that has to be found.

import { RefreshableList, type Handler, type LastRun } from 'refreshable-list';
import 'refreshable-list/refreshable-list.js';

const list = document.createElement('refreshable-list');
list.src = '/lists/names';
document.body.append(list);

const found: RefreshableList | null = document.querySelector('refreshable-list');
found?.cancel();

const handler: Handler = async ({ signal, progress }) => {
  const answer = await fetch('/orders', { signal });
  progress(1, 2, 'read');
  progress(2);
  document.body.textContent = await answer.text();
};
list.handler = handler;
list.handler = () => {};
list.handler = null;

const last: LastRun | undefined = await list.refresh({ quietly: true });
if (last?.outcome === 'failure') console.log(last.error?.message, last.changes?.inserted);

list.addEventListener('pull', ({ detail }) => console.log(detail.offset.toFixed(1), detail.progress, detail.gesture));
list.addEventListener('phasechange', ({ detail: { from, to } }) => console.log(from === 'loading', to));
list.addEventListener('refresh', (event) => event.detail.cause === 'pull' && event.preventDefault());
list.addEventListener('patch', ({ detail }) => console.log(detail.revision.toFixed(), detail.inserted[0]?.length));
list.addEventListener('error', ({ detail }) => console.log(detail.code, detail.message));
list.addEventListener('click', (event) => console.log(event.clientX), { passive: true });

const hear = (event: CustomEvent<{ offset: number }>) => console.log(event.detail.offset);
list.addEventListener('pull', hear);
list.removeEventListener('pull', hear);

// @ts-expect-error  a phase is reflected, never set
list.phase = 'loading';
// @ts-expect-error  there is no such phase
if (list.phase === 'refreshing') console.log();
// @ts-expect-error  whether there is an action is not for the page to say
list.refreshable = true;
// @ts-expect-error  an address is text
list.src = new URL('https://example.org/lists/names');
// @ts-expect-error  what is done is a number
list.handler = ({ progress }) => progress('half');
// @ts-expect-error  it is called quietly
list.refresh({ quiet: true });
// @ts-expect-error  a patch tells keys, not rows
list.addEventListener('patch', ({ detail }) => console.log(detail.rows));
// @ts-expect-error  nothing else ends a run
if (last?.outcome === 'done') console.log();
