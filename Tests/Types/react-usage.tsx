// A component in React: what is right must compile, and each mistake that is marked as one must be found.
import 'refreshable-list/react';
import type { RefreshableList } from 'refreshable-list';

const list: { current: RefreshableList | null } = { current: null };

export const right = <refreshable-list ref={list} src="/lists/names" level={2} behind="" className="wide" open-row="a" />;
// @ts-expect-error: it is no preset.
export const wrongPreset = <refreshable-list src="/lists/names" preset="strange" />;
// @ts-expect-error: there is no such attribute.
export const wrongAttribute = <refreshable-list source="/lists/names" />;
