import { DefinitionError } from '../kube/errors.js';
import { propertyOf, type StructuralSchema } from '../schema/structural.js';

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#additional-printer-columns */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  readonly jsonPath: string;
  readonly priority?: number;
}

const ready = (field: string) => `.status.conditions[?(@.type=="Ready")].${field}`;

/**
 * What `kubectl get` shows: the author's columns, then whether it is ready, why, and since when.
 *
 * The author's paths are looked up in `schema`, which also gives their types: a path to nowhere would show an empty
 * column for ever, and is a `DefinitionError`.
 */
export function printerColumns(
  kind: string,
  columns: Readonly<Record<string, string>>,
  schema: StructuralSchema,
): PrinterColumn[] {
  return [
    ...Object.entries(columns).map(([name, jsonPath]) => ({
      name,
      type: typeAt(kind, name, jsonPath, schema),
      jsonPath,
    })),
    { name: 'READY', type: 'string', jsonPath: ready('status') },
    { name: 'STATUS', type: 'string', jsonPath: ready('reason') },
    { name: 'MESSAGE', type: 'string', jsonPath: ready('message'), priority: 1 },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
}

/** The schema that a simple path (`.spec.size`) leads to; undefined where it leads nowhere. */
export function schemaAt(path: string, root: StructuralSchema): StructuralSchema | undefined {
  return path
    .split('.')
    .slice(1)
    .reduce<StructuralSchema | undefined>(
      (schema, name) => (schema ? (propertyOf(schema, name) ?? schema.additionalProperties) : undefined),
      root,
    );
}

function typeAt(kind: string, column: string, path: string, root: StructuralSchema): PrinterColumn['type'] {
  if (path.startsWith('.metadata.')) return path === '.metadata.creationTimestamp' ? 'date' : 'string';
  // A filter or an index is a matter between the author and kubectl.
  if (/[[\]()]/.test(path)) return 'string';
  const schema = path.startsWith('.') ? schemaAt(path, root) : undefined;
  if (!schema) {
    throw new DefinitionError(`${kind} column "${column}" cannot be defined: ${path} is not in its schema`, {
      hint: 'columns are paths such as .spec.size or .status.readyReplicas',
    });
  }
  if (schema.format === 'date-time' || schema.format === 'date') return 'date';
  return schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean' ? schema.type : 'string';
}
