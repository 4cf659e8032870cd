import type { Json } from '../../../src/kube/manifest.js';
import { apiVersionOf, type Field, type KindGrammar } from './grammar/kind-grammar.js';
import { at, edited, isMap, places } from './json-edit.js';
import type { Edit, JsonMap } from './operation.js';
import type { Random } from './random.js';

/** What a value may be that is not what it ought to be. */
const strangers: readonly Json[] = [
  'text',
  '',
  7,
  -1,
  1.5,
  true,
  null,
  [],
  {},
  ['x'],
  { x: 'y' },
  [{}],
  'a'.repeat(300),
];

const metadataFields: readonly Field[] = [
  { path: ['metadata', 'labels', 'app'], good: ['a', 'b'], bad: ['not a label!', 5, null, 'a'.repeat(64)] },
  { path: ['metadata', 'labels', 'tier'], good: ['web', 'db'], bad: [{}] },
  { path: ['metadata', 'labels', 'example.com/part'], good: ['x', ''], bad: ['-x'] },
  {
    path: ['metadata', 'labels'],
    good: [],
    bad: [null, [], 'x', { 'a b': 'c' }, { '': 'x' }, { 'A.B/c': 'd' }, { 'a/b/c': 'd' }],
  },
  { path: ['metadata', 'annotations', 'note'], good: ['one', 'two', 'drei ä'], bad: [1, null] },
  { path: ['metadata', 'annotations', 'other'], good: ['x'], bad: [false] },
  { path: ['metadata', 'annotations'], good: [], bad: [{}, null, { 'a b': 'c' }, { '/x': 'y' }, 'x'] },
  {
    path: ['metadata', 'finalizers'],
    good: [['example.com/hold'], [], ['example.com/hold', 'example.com/two']],
    bad: [['bad'], ['a b/c'], 'x', ['example.com/hold', 'example.com/hold'], ['foregroundDeletion', 'orphan']],
  },
  {
    path: ['metadata', 'ownerReferences'],
    good: [
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '00000000-0000-0000-0000-000000000001' }],
      [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: 'owner',
          uid: '00000000-0000-0000-0000-000000000002',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      [],
    ],
    bad: [
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner' }],
      [{ kind: 'ConfigMap', name: 'owner', uid: '00000000-0000-0000-0000-000000000001' }],
      [{ apiVersion: 'v1', kind: '', name: '', uid: '' }],
      [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'a',
          uid: '00000000-0000-0000-0000-000000000001',
          controller: true,
        },
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'b',
          uid: '00000000-0000-0000-0000-000000000002',
          controller: true,
        },
      ],
      [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: '00000000-0000-0000-0000-000000000001' }],
      'x',
    ],
  },
  { path: ['metadata', 'uid'], good: [], bad: ['00000000-0000-0000-0000-000000000009', '', 4] },
  { path: ['metadata', 'generation'], good: [], bad: [7, -1, 'x'] },
  { path: ['metadata', 'creationTimestamp'], good: [null], bad: ['2020-01-01T00:00:00Z', 'x'] },
  { path: ['metadata', 'deletionTimestamp'], good: [], bad: ['2020-01-01T00:00:00Z'] },
  { path: ['metadata', 'deletionGracePeriodSeconds'], good: [], bad: [5] },
  { path: ['metadata', 'selfLink'], good: [], bad: ['/x'] },
  {
    path: ['metadata', 'managedFields'],
    good: [],
    bad: [
      [],
      [{}],
      null,
      [{ manager: 'x', operation: 'Odd' }],
      'x',
      [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:metadata': {} } }],
    ],
  },
  { path: ['metadata', 'unknown'], good: [], bad: [1] },
];

/** Which parts of a body are at stake. */
export type Part = 'main' | 'status';

/** Makes bodies, and changes of bodies, of one kind. */
export class Bodies {
  constructor(
    private readonly grammar: KindGrammar,
    private readonly random: Random,
  ) {}

  /** A whole body. Most are good; one in five has something that it ought not to have. */
  whole(name: string | undefined, namespace: string | undefined): Json {
    const { grammar, random } = this;
    const labels = {
      trace: '{ns}',
      ...random.pick<JsonMap>([{}, { app: 'a' }, { app: 'a', tier: 'web' }, { app: 'b' }]),
    };
    const metadata = {
      ...(name === undefined ? {} : { name }),
      ...(namespace !== undefined && random.chance(0.3) ? { namespace } : {}),
      labels,
    };
    const body = { apiVersion: apiVersionOf(grammar), kind: grammar.kind, metadata, ...random.pick(grammar.bases) };
    return this.#spoilt(edited(body, ...this.edits(random.pick([0, 0, 1, 2, 3]))), 0.08);
  }

  /** What an applier sends: the fields that it has an opinion on. */
  partial(name: string, part: Part): Json {
    const { grammar, random } = this;
    const head = { apiVersion: apiVersionOf(grammar), kind: grammar.kind, metadata: { name } };
    const edits = this.edits(random.pick([1, 1, 2, 3]), part);
    const base = { ...head, ...random.pick(grammar.bases) };
    const body = edits.reduce<Json>((sum, edit) => withKeys(sum, edit, edited(base, edit)), head);
    return this.#spoilt(body, 0.1);
  }

  edits(count: number, part: Part = 'main'): Edit[] {
    const { grammar, random } = this;
    return Array.from({ length: count }, () => {
      const own = part === 'status' ? (grammar.status ?? []) : grammar.fields;
      const fields = own.length === 0 || random.chance(part === 'status' ? 0.1 : 0.25) ? metadataFields : own;
      return this.#edit(random.pick(fields));
    });
  }

  #edit({ path, good, bad }: Field): Edit {
    const isBad = bad.length > 0 && (good.length === 0 || this.random.chance(0.15));
    if (!isBad && this.random.chance(0.08)) return { path };
    return { path, value: this.random.pick(isBad ? bad : good.length > 0 ? good : [null]) };
  }

  /** Now and then: a value of another type, a field that nobody knows, a list item twice, something left out. */
  #spoilt(body: Json, probability: number): Json {
    const { random } = this;
    if (!random.chance(probability)) return body;
    const all = places(body).filter((path) => path.length > 0);
    const path = random.pick(all);
    const value = at(body, path);
    switch (random.weighted({ stranger: 5, unknown: 2, twice: 1, without: 2, empty: 1 })) {
      case 'stranger':
        return edited(body, { path, value: random.pick(strangers) });
      case 'unknown':
        return edited(body, {
          path: [...(isMap(value) ? path : path.slice(0, -1)), 'unheardOf'],
          value: random.pick(strangers),
        });
      case 'twice':
        return Array.isArray(value) && value.length > 0
          ? edited(body, { path, value: [...value, value[0] as Json] })
          : body;
      case 'without':
        return edited(body, { path });
      case 'empty':
        return edited(body, { path, value: Array.isArray(value) ? [] : {} });
    }
  }
}

/** Fields by which list items are told apart, in any list. */
const keys = [
  'name',
  'containerPort',
  'port',
  'protocol',
  'mountPath',
  'key',
  'type',
  'ip',
  'topologyKey',
  'whenUnsatisfiable',
];

/** `partial` with `edit`, and with the keys that list items on its way have in `whole`. */
export function withKeys(partial: Json, edit: Edit, whole: Json): Json {
  const items = edit.path.flatMap((step, index) => (typeof step === 'number' ? [edit.path.slice(0, index + 1)] : []));
  const named = items.flatMap((path) =>
    keys.flatMap((key): Edit[] => {
      const value = at(whole, [...path, key]);
      const isThere = at(partial, [...path, key]) !== undefined;
      return value === undefined || isThere || typeof value === 'object' ? [] : [{ path: [...path, key], value }];
    }),
  );
  return edited(partial, ...named, edit);
}
