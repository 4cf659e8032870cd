import type { Json } from '../../../src/kube/manifest.js';
import { type Bodies, type Part, withKeys } from './bodies.js';
import type { KindGrammar } from './grammar/kind-grammar.js';
import { at, edited, isMap } from './json-edit.js';
import type { Edit, JsonMap, PatchKind } from './operation.js';
import type { Random } from './random.js';

/** Patches of every kind, for objects that look like a base of the grammar. */
export class Patches {
  constructor(
    private readonly grammar: KindGrammar,
    private readonly random: Random,
    private readonly bodies: Bodies,
  ) {}

  of(kind: Exclude<PatchKind, 'apply'>, part: Part): Json {
    const edits = this.bodies.edits(this.random.pick([1, 1, 2]), part);
    switch (kind) {
      case 'json':
        return this.random.chance(0.05)
          ? this.random.pick<Json>([{}, [], [{}], 'x', [{ op: 'odd', path: '/x' }], [{ op: 'add' }]])
          : this.#json(edits);
      case 'merge':
        return this.random.chance(0.03) ? this.random.pick<Json>([[], null, 'x', {}]) : this.#merge(edits);
      case 'strategic':
        return this.random.chance(0.03) ? this.random.pick<Json>([[], 'x', {}]) : this.#strategic(edits);
    }
  }

  #json(edits: readonly Edit[]): Json {
    const { random } = this;
    const operations: Json[] = edits.flatMap((edit): Json[] => {
      const path = pointer(edit.path);
      if (edit.value === undefined) return [{ op: 'remove', path }];
      // A field whose parents are not there cannot be added.
      const parents = edit.path.slice(0, -1).map((_, index) => edit.path.slice(0, index + 1));
      const missing = parents.find(
        (parent) => at(this.grammar.bases[0] as Json, parent) === undefined && parent[0] !== 'metadata',
      );
      if (missing && random.chance(0.7)) {
        const value = at(edited({}, edit), missing) as Json;
        return [{ op: 'add', path: pointer(missing), value }];
      }
      return [{ op: random.pick(['add', 'add', 'replace']), path, value: edit.value }];
    });
    if (random.chance(0.2)) {
      operations.push(
        random.pick<Json>([
          { op: 'test', path: '/metadata/name', value: random.pick(['a', 'b']) },
          { op: 'test', path: '/metadata/labels/trace', value: '{ns}' },
          { op: 'copy', from: '/metadata/labels/trace', path: '/metadata/labels/copied' },
          { op: 'move', from: '/metadata/labels/app', path: '/metadata/labels/moved' },
          { op: 'remove', path: '/metadata/labels/app' },
          { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/more' },
          { op: 'replace', path: '/metadata/name', value: 'other' },
          { op: 'replace', path: '/kind', value: 'Other' },
          { op: 'remove', path: '/metadata/nothing' },
          { op: 'replace', path: '', value: {} },
          { op: 'add', path: '/metadata/labels/a~1b', value: 'x' },
          { op: 'test', path: '/metadata/resourceVersion', value: '1' },
        ]),
      );
    }
    return operations;
  }

  /** Lists are replaced whole, as a merge patch does. */
  #merge(edits: readonly Edit[]): Json {
    const base = this.random.pick(this.grammar.bases);
    return edits.reduce<Json>((patch, edit) => {
      const index = edit.path.findIndex((step) => typeof step === 'number');
      if (index < 0) return edited(patch, { path: edit.path, value: edit.value ?? null });
      const list = edit.path.slice(0, index);
      return edited(patch, { path: list, value: at(edited(base, edit), list) ?? [] });
    }, this.#named());
  }

  #strategic(edits: readonly Edit[]): Json {
    const { random } = this;
    const base = random.pick(this.grammar.bases);
    const patch = edits.reduce<Json>(
      (sum, edit) => withKeys(sum, { path: edit.path, value: edit.value ?? null }, edited(base, edit)),
      this.#named(),
    );
    return random.chance(0.25) ? this.#directed(patch, edits[0] as Edit) : patch;
  }

  #directed(patch: Json, { path }: Edit): Json {
    const { random } = this;
    const index = path.findIndex((step) => typeof step === 'number');
    if (index >= 0 && random.chance(0.7)) {
      const list = path.slice(0, index);
      const items = (at(patch, list) ?? []) as readonly Json[];
      const first = isMap(items[0]) ? items[0] : {};
      return random.pick<() => Json>([
        () => edited(patch, { path: list, value: [{ ...first, $patch: 'delete' }] }),
        () => edited(patch, { path: list, value: [{ $patch: 'replace' }, ...items] }),
        () =>
          edited(patch, { path: [...list.slice(0, -1), `$setElementOrder/${list.at(-1)}`], value: [orderKey(first)] }),
        () =>
          edited(patch, {
            path: [...list, items.length],
            value: { ...first, name: 'added', containerPort: 99, port: 99 },
          }),
      ])();
    }
    return random.pick<() => Json>([
      // Of what is both set and taken away the order of a Go map decides.
      () =>
        edited(
          patch,
          { path: ['metadata', 'finalizers'] },
          { path: ['metadata', '$deleteFromPrimitiveList/finalizers'], value: ['example.com/hold'] },
        ),
      () =>
        edited(patch, {
          path: ['metadata', 'labels', '$patch'],
          value: random.pick(['replace', 'delete', 'merge', 'odd']),
        }),
      () => edited(patch, { path: ['spec', '$patch'], value: random.pick(['replace', 'delete']) }),
      () => edited(patch, { path: ['spec', '$retainKeys'], value: path.slice(1, 2) as Json[] }),
      () => edited(patch, { path: ['metadata', 'finalizers'], value: ['example.com/three'] }),
      () =>
        edited(patch, {
          path: ['metadata', '$setElementOrder/finalizers'],
          value: ['example.com/two', 'example.com/hold'],
        }),
    ])();
  }

  #named(): JsonMap {
    return this.random.chance(0.05)
      ? this.random.pick<JsonMap>([
          { metadata: { name: 'other' } },
          { kind: 'Other' },
          { apiVersion: 'v9' },
          { metadata: { resourceVersion: '1' } },
          { metadata: { uid: '00000000-0000-0000-0000-000000000009' } },
        ])
      : {};
  }
}

function orderKey(item: JsonMap): Json {
  for (const key of ['name', 'containerPort', 'port', 'ip', 'key', 'type']) {
    if (item[key] !== undefined) return { [key]: item[key] as Json };
  }
  return {};
}

function pointer(path: Edit['path']): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
