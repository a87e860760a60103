/** For React's types: `import 'refreshable-list/react';` lets JSX have `<refreshable-list>`. */

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { RefreshableList, RefreshableListAttributes } from './refreshable-list.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'refreshable-list': DetailedHTMLProps<HTMLAttributes<RefreshableList>, RefreshableList> & RefreshableListAttributes;
    }
  }
}
