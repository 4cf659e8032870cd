import type { Json, KubeObject } from '../../kube/manifest.js';
import { goJson, goNumber } from '../../schema/go-format.js';
import type { TableColumn } from '../kinds/served-kind.js';
import type { ColumnDefinition, DefinitionVersion } from './custom-definition.js';
import { humanDuration } from './human-duration.js';
import { type JsonPath, jsonPath } from './json-path.js';

/** What the server shows when a definition says nothing of columns. */
const age: ColumnDefinition = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: [
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.',
    '',
    'Populated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  ].join('\n'),
};

/**
 * The columns of `kubectl get` beside the name, in the order of the definition.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#additional-printer-columns
 */
export function customColumns({
  additionalPrinterColumns = [],
}: Pick<DefinitionVersion, 'additionalPrinterColumns'>): readonly TableColumn[] {
  const definitions = additionalPrinterColumns.length === 0 ? [age] : additionalPrinterColumns;
  const columns: TableColumn[] = [];
  for (const definition of definitions) {
    const path = jsonPath(definition.jsonPath);
    // As on the server, a path that cannot be read takes all later columns with it.
    if (!path) break;
    columns.push(columnOf(definition, path));
  }
  return columns;
}

function columnOf(
  { name, type, format = '', description, priority = 0, jsonPath: source }: ColumnDefinition,
  path: JsonPath,
): TableColumn {
  return {
    name,
    type: type as TableColumn['type'],
    format,
    description: description || `Custom resource definition column (in JSONPath format): ${source}`,
    priority,
    cell: (object, now) => cellOf(type, path(object as KubeObject & Json)[0], now),
  };
}

/** The value as its column shows it; null for one of another type. */
function cellOf(type: string, value: Json | undefined, now: number): Json {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return shown(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateOf(value, now) : null;
    default:
      return null;
  }
}

function shown(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goNumber(value);
  return value === null ? '<no value>' : goJson(value);
}

function dateOf(value: string, now: number): string {
  if (value === '' || value === 'null') return '<unknown>';
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value)
    ? Date.parse(value.replace(',', '.'))
    : Number.NaN;
  return Number.isNaN(at) ? '<invalid>' : humanDuration(now - at);
}
