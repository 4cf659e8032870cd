import type { Json, KubeObject } from '../../kube/manifest.js';
import { humanDuration } from '../custom/human-duration.js';
import type { ServedKind, TableColumn } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { partial } from './partial-metadata.js';

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables */
export type Contents = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly version: string;
  readonly contents: Contents;
  readonly now: number;
  /** False leaves the columns to an earlier table of the same watch. */
  readonly hasColumns?: boolean;
}

export function contentsOf(text: string | undefined): Contents {
  if (text === undefined || text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const problem = `includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${problem}`);
}

/** The rows of `kubectl get`. */
export function tableOf(
  kind: ServedKind,
  objects: readonly KubeObject[],
  metadata: object,
  { version, contents, now, hasColumns = true }: TableOptions,
): object {
  const columns = columnsOf(kind);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: hasColumns ? columns.map(definitionOf) : null,
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      object: contents === 'None' ? null : contents === 'Object' ? object : partial(object, version),
    })),
  };
}

const known = new WeakMap<ServedKind, readonly TableColumn[]>();

/** The kind's own, after the name, with the age behind all that are not for `-o wide` alone. */
function columnsOf(kind: ServedKind): readonly TableColumn[] {
  const before = known.get(kind);
  if (before) return before;
  const own = kind.columns;
  const named = own.some(({ name }) => name === 'Name') ? [] : [nameColumn];
  const aged = kind.addsAge === false || own.some(({ name }) => name === 'Age') ? [] : [ageColumn];
  const lastShown = own.findLastIndex(({ priority }) => priority === 0) + 1;
  const columns = [...named, ...own.slice(0, lastShown), ...aged, ...own.slice(lastShown)];
  known.set(kind, columns);
  return columns;
}

const empty = new WeakMap<ServedKind, ServedKind>();

/** The kind with its columns and nothing in them. */
export function emptyRow(kind: ServedKind): ServedKind {
  const before = empty.get(kind);
  if (before) return before;
  const columns = columnsOf(kind).map((column, index) => ({ ...column, cell: () => (index === 0 ? '' : null) }));
  const without: ServedKind = { ...kind, columns, addsAge: false };
  empty.set(kind, without);
  return without;
}

const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Unique within its namespace, and within the cluster for what has none: https://kubernetes.io/docs/concepts/overview/working-with-objects/names',
  priority: 0,
  cell: ({ metadata }) => metadata.name,
};

const ageColumn: TableColumn = {
  name: 'Age',
  type: 'string',
  description: 'How long ago the server created the object.',
  priority: 0,
  cell({ metadata: { creationTimestamp } }, now): Json {
    return creationTimestamp === undefined ? '<unknown>' : humanDuration(now - Date.parse(creationTimestamp));
  },
};

function definitionOf({ name, type, format = '', description = '', priority }: TableColumn): object {
  return { name, type, format, description, priority };
}
