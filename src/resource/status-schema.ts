import { conditionReason } from '../kube/condition.js';
import { DefinitionError } from '../kube/errors.js';
import { isRefusal, showProblem } from '../schema/field-problem.js';
import type { StructuralSchema } from '../schema/structural.js';
import { validate } from '../schema/validate.js';

const generation: StructuralSchema = {
  type: 'integer',
  format: 'int64',
  minimum: 0,
  description: 'Generation of the spec that this was observed for.',
};

/** https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go (Condition) */
const condition: StructuralSchema = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: {
      type: 'string',
      maxLength: 316,
      pattern: `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
      description: 'What the condition is about.',
    },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'Whether it holds.' },
    reason: {
      type: 'string',
      minLength: 1,
      ...conditionReason,
      description: 'Why, in one word for machines.',
    },
    message: { type: 'string', maxLength: 32768, description: 'Why, in a sentence for people.' },
    observedGeneration: generation,
    lastTransitionTime: { type: 'string', format: 'date-time', description: 'When its status last changed.' },
  },
};

const inventory: StructuralSchema = {
  type: 'object',
  description: 'Children that no owner reference reaches: in other namespaces, or outside of any.',
  properties: {
    entries: {
      type: 'array',
      description: 'In the order in which they were made.',
      items: {
        type: 'object',
        required: ['id', 'v'],
        properties: {
          id: { type: 'string', description: 'Namespace, name, group and kind, joined by underscores.' },
          v: { type: 'string', description: 'The version of the group.' },
        },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
    },
    packed: {
      type: 'string',
      description: 'The same of very many, as lines of version and id, compressed, in base64.',
    },
  },
};

const common: Readonly<Record<string, StructuralSchema>> = {
  conditions: {
    type: 'array',
    description: 'Where the resource stands: Ready, and what is out of the ordinary.',
    items: condition,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  },
  inventory,
  lastHandledReconcileAt: { type: 'string', description: 'The last request to reconcile that was handled.' },
  observedGeneration: generation,
};

/** Those that every kind has, which no author may define or write. */
export const commonStatusFields: readonly string[] = Object.keys(common);

/**
 * The author's status fields, all of them optional on the wire, and those that every custom resource has.
 *
 * Throws `DefinitionError` for a status of the author that is no object with fields, or has a field of these names.
 */
export function statusSchema(kind: string, author: StructuralSchema | undefined): StructuralSchema {
  if (author !== undefined && author.type !== 'object') {
    throw new DefinitionError(`${kind} cannot be defined: status is no object`, {
      hint: 'write status: s.object({ … })',
    });
  }
  if (author?.additionalProperties !== undefined) {
    throw new DefinitionError(`${kind} cannot be defined: status is a map, which cannot have fields beside`, {
      hint: 'write status: s.object({ values: s.map(…) })',
    });
  }
  const taken = Object.keys(author?.properties ?? {}).find((name) => commonStatusFields.includes(name));
  if (taken !== undefined) {
    throw new DefinitionError(`${kind} cannot be defined: status.${taken} is there already`, {
      hint: `every kind has ${commonStatusFields.join(', ')}: give yours another name`,
    });
  }
  return {
    ...author,
    type: 'object',
    description: author?.description ?? 'What was last observed.',
    properties: { ...author?.properties, ...common },
    // The author counts his own.
    ...(author?.maxProperties === undefined ? {} : { maxProperties: author.maxProperties + commonStatusFields.length }),
  };
}

/**
 * Refuses a status that only the author's fields make valid: one that fails before they are known has none of them, and
 * then could not say so. `schema` is the whole one, which is sound.
 */
export function checkStatusWithoutFields(kind: string, schema: StructuralSchema): void {
  const problems = validate(schema, { conditions: [], observedGeneration: 1 }, { path: 'status' }).filter(isRefusal);
  if (problems.length === 0) return;
  const [field = 'ready'] = Object.keys(schema.properties ?? {}).filter((name) => !commonStatusFields.includes(name));
  const words = problems.map(showProblem).join(', ');
  throw new DefinitionError(
    `${kind} cannot be defined: a status is refused as long as its fields are unknown: ${words}`,
    {
      hint: `guard it: !has(self.${field}) || …`,
    },
  );
}
