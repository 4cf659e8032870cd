import type { Json } from '../../../src/kube/manifest.js';
import { partsDefinition } from './grammar/parts.js';
import type { JsonMap, Operation } from './operation.js';
import type { Random } from './random.js';

type Step = Omit<Operation, 'id'>;

const text = { type: 'string' };
const integer = { type: 'integer', format: 'int32' };
const preserved = { 'x-kubernetes-preserve-unknown-fields': true };

function ruled(rule: JsonMap): Json {
  return { ...integer, 'x-kubernetes-validations': [rule] };
}

const port = { type: 'object', required: ['port'], properties: { port: integer, protocol: text, name: text } };
const portWithProtocol = {
  ...port,
  properties: { ...port.properties, protocol: { ...text, default: 'TCP' } },
};

function list(items: Json, type: string, more: JsonMap = {}): Json {
  return { type: 'array', items, 'x-kubernetes-list-type': type, ...more };
}

/** What a field of the spec may be by turns; undefined: the schema does not know it. */
const fields: Readonly<Record<string, readonly (Json | undefined)[]>> = {
  size: [
    integer,
    integer,
    { ...integer, maximum: 3 },
    { ...integer, minimum: 2, default: 3 },
    { ...integer, nullable: true },
    ruled({ rule: 'self <= 3', message: 'at most three' }),
    ruled({ rule: 'self >= oldSelf', message: 'never less' }),
    ruled({ rule: '!oldSelf.hasValue() || self == oldSelf.value()', optionalOldSelf: true }),
    text,
    { 'x-kubernetes-int-or-string': true },
    undefined,
  ],
  mode: [
    text,
    { ...text, enum: ['A', 'B'] },
    { ...text, enum: ['B'], default: 'B' },
    { ...text, nullable: true, default: null },
    { ...text, pattern: '^[A-Z]$' },
    undefined,
  ],
  tags: [list(text, 'atomic'), list(text, 'set'), list(text, 'set', { maxItems: 1 }), { type: 'array', items: text }],
  ports: [
    list(port, 'map', { 'x-kubernetes-list-map-keys': ['port'] }),
    list(portWithProtocol, 'map', { 'x-kubernetes-list-map-keys': ['port', 'protocol'] }),
    list(port, 'atomic'),
    undefined,
  ],
  inner: [
    { type: 'object', properties: { a: text, b: text } },
    { type: 'object', properties: { a: text, b: { ...text, default: 'bee' } }, default: {} },
    { type: 'object', properties: { a: text }, ...preserved },
    { type: 'object', properties: { a: text, b: text }, 'x-kubernetes-map-type': 'atomic' },
    { type: 'object', additionalProperties: text },
  ],
  extra: [undefined, text, { ...text, default: 'more' }],
};

const subresources: readonly (Json | undefined)[] = [
  undefined,
  { status: {} },
  { status: {} },
  { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
];

/** Which versions are there, and which is stored: `v1*` is. One that is there and not served has a minus. */
const line: readonly (readonly string[])[] = [
  ['v1*'],
  ['v1*', 'v2'],
  ['v1*', 'v2'],
  ['v1', 'v2*'],
  ['-v1', 'v2*'],
  ['v1*', '-v2'],
  ['v2*'],
];

/**
 * A definition, as authors change theirs: fields come and go and take other types, versions are added, stored and taken
 * away, a status becomes a subresource, all is deleted and made again.
 *
 * Each schema has a field `mark` whose default is another one after each change, which shows when a server has it.
 */
export class ChangingDefinition {
  #changes = 0;
  #versions: readonly Json[];

  constructor(private readonly random: Random) {
    this.#versions = this.#drawn(['v1*']);
  }

  created(): readonly Step[] {
    const { resource, group, name, names } = partsDefinition;
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name, labels: { trace: '{ns}' } },
      spec: { group, scope: 'Namespaced', names, versions: this.#versions },
    };
    return [{ verb: 'create', resource, body }, this.#settled()];
  }

  changed(): readonly Step[] {
    const { random } = this;
    const { resource, name } = partsDefinition;
    switch (random.weighted({ schema: 8, stored: 2, deleted: 0.7 })) {
      case 'deleted':
        return [{ verb: 'delete', resource, name }, this.#settled(), ...this.created()];
      case 'stored': {
        const storedVersions = random.pick<Json>([['v1'], ['v2'], ['v1', 'v2']]);
        const body = { status: { storedVersions } };
        return [{ verb: 'patch', patch: 'merge', resource, name, subresource: 'status', body }, this.#settled()];
      }
      case 'schema': {
        this.#versions = this.#drawn(random.pick(line));
        const body = { spec: { versions: this.#versions } };
        return [{ verb: 'patch', patch: 'merge', resource, name, body }, this.#settled()];
      }
    }
  }

  #settled(): Step {
    return { verb: 'settle', resource: partsDefinition.resource, name: partsDefinition.name };
  }

  #drawn(names: readonly string[]): readonly Json[] {
    const { random } = this;
    const mark = `${++this.#changes}`;
    // Versions are mostly alike, for nothing converts between them.
    const shared = this.#schema(mark);
    return names.map((name) => {
      const openAPIV3Schema = random.chance(0.7) ? shared : this.#schema(mark);
      const chosen = random.pick(subresources);
      return {
        name: name.replace(/[*-]/g, ''),
        served: !name.startsWith('-'),
        storage: name.endsWith('*'),
        schema: { openAPIV3Schema },
        ...(chosen === undefined ? {} : { subresources: chosen }),
        ...(random.chance(0.1) ? { deprecated: true } : {}),
      };
    });
  }

  #schema(mark: string): Json {
    const { random } = this;
    const chosen = Object.entries(fields).flatMap(([name, choices]) => {
      // The first is what they mostly are, so that a change is of few.
      const schema = random.chance(0.5) ? choices[0] : random.pick(choices);
      return schema === undefined ? [] : [[name, schema] as const];
    });
    return {
      type: 'object',
      properties: {
        mark: { ...text, default: mark },
        spec: {
          type: 'object',
          properties: Object.fromEntries(chosen),
          ...(random.chance(0.15) ? { required: ['size'] } : {}),
        },
        status: { type: 'object', properties: { size: integer, phase: text } },
      },
    };
  }
}
