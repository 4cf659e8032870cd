import type { KubeObject } from '../../kube/manifest.js';
import type { Event } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { Transform } from './accept.js';
import { partial } from './partial-metadata.js';
import { type Contents, emptyRow, tableOf } from './table.js';
import { type Encode, lineOf } from './watch-stream.js';

/** The lines of one watch whose objects were asked for as tables, of which the first has the columns, or as metadata. */
export function tableLines(kind: ServedKind, as: Transform, contents: Contents, now: () => number): Encode {
  let hasColumns = true;
  const table = ({ type, object }: Event) => {
    const options = { version: as.version, contents, now: now(), hasColumns };
    hasColumns = false;
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    // A bookmark has nothing that a cell could show.
    return type === 'BOOKMARK'
      ? tableOf(emptyRow(kind), [object], metadata, options)
      : tableOf(kind, [object], metadata, options);
  };
  const shown = (event: Event): object =>
    as.kind === 'Table' ? table(event) : partial(event.object as KubeObject, as.version);
  return (event) => lineOf(event.type, JSON.stringify(event.type === 'ERROR' ? event.object : shown(event)));
}
