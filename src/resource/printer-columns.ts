import { DefinitionError } from '../kube/errors.js';
import { unknownMetadata } from '../schema/object-meta.js';
import type { StructuralSchema } from '../schema/structural.js';
import { schemaAt, segmentsOf } from './schema-at.js';

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#additional-printer-columns */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  readonly jsonPath: string;
  readonly priority?: number;
}

interface Kind {
  readonly kind: string;
  readonly namespaced?: boolean;
}

const ready = (field: string) => `.status.conditions[?(@.type=="Ready")].${field}`;

const common: readonly PrinterColumn[] = [
  { name: 'READY', type: 'string', jsonPath: ready('status') },
  { name: 'STATUS', type: 'string', jsonPath: ready('reason') },
  { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'REVISION', type: 'integer', jsonPath: '.status.observedGeneration', priority: 1 },
  { name: 'MESSAGE', type: 'string', jsonPath: ready('message'), priority: 1 },
];

/**
 * What `kubectl get` shows: the author's columns, then whether it is ready, why, and since when; with `-o wide` also the
 * whole story, and of which generation it is told.
 *
 * The author's paths are looked up in `schema`, which also gives their types: a path to nowhere would show an empty
 * column for ever, and is a `DefinitionError`. So is a column that is there already, since kubectl shows names in
 * capitals, and itself shows in which namespace something is that is in one.
 */
export function printerColumns(
  { kind, namespaced = true }: Kind,
  columns: Readonly<Record<string, string>>,
  schema: StructuralSchema,
): readonly PrinterColumn[] {
  // One that is shown only to those who ask for more gives way to an author's own.
  const given = new Set(Object.keys(columns).map((name) => name.toUpperCase()));
  const ours = common.filter(({ name }) => name !== 'REVISION' || !given.has(name));
  const everyKinds = ['NAME', ...(namespaced ? ['NAMESPACE'] : []), ...ours.map(({ name }) => name)];
  const taken = new Set(everyKinds);
  const own = Object.entries(columns).map(([name, jsonPath]): PrinterColumn => {
    if (name === '')
      throw new DefinitionError(`${kind} column cannot be defined: it has no name`, {
        hint: 'write columns: { Size: … }',
      });
    if (taken.has(name.toUpperCase())) {
      throw new DefinitionError(`${kind} column "${name}" cannot be defined: there is one of that name`, {
        hint: everyKinds.includes(name.toUpperCase())
          ? `${namespaced ? 'a kind' : 'a kind in no namespace'} has the columns ${everyKinds.join(', ')}: give yours another name`
          : 'kubectl shows names in capitals: give yours one that differs in more',
      });
    }
    taken.add(name.toUpperCase());
    return { name, type: typeAt(kind, name, jsonPath, schema), jsonPath };
  });
  return [...own, ...ours];
}

function typeAt(kind: string, column: string, path: string, root: StructuralSchema): PrinterColumn['type'] {
  const nowhere = (what: string) =>
    new DefinitionError(`${kind} column "${column}" cannot be defined: ${path} is not in ${what}`, {
      hint: 'columns are paths such as .spec.size or .status.readyReplicas; a dot in a name or a key is written \\.',
    });
  const [first, field] = segmentsOf(path) ?? [];
  if (first === 'metadata' && field !== undefined) {
    if (unknownMetadata({ [field]: '' }).length > 0) throw nowhere('metadata');
    return path.endsWith('Timestamp') ? 'date' : 'string';
  }
  const schema = schemaAt(path, root);
  if (!schema) throw nowhere('its schema');
  // Of a day alone, format `date`, the server would show `<invalid>`: its columns of dates are for moments.
  if (schema.format === 'date-time') return 'date';
  return schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean' ? schema.type : 'string';
}
