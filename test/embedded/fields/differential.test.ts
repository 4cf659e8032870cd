import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FieldConflict } from '../../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import { apply, ClashError, type Managers, update } from '../../../src/embedded/fields/ownership.js';
import { objectType } from '../../../src/embedded/fields/structural-type.js';
import { onlyVersion } from '../../../src/embedded/fields/versions.js';
import { mergePatch } from '../../../src/embedded/patch/merge-patch.js';
import { customResource, s } from '../../../src/index.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { withDefaults } from '../../../src/schema/defaults.js';
import type { StructuralSchema } from '../../../src/schema/structural.js';
import { seededRandom } from '../../../src/testing/seeded-random.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { untilServed } from '../../cluster/until-served.js';

const Thing = customResource({
  group: 'embedded.example.com',
  version: 'v1',
  kind: 'Thing',
  spec: s.object(
    {
      count: s.int32({ optional: true }),
      args: s.array(s.string(), { optional: true }),
      tags: s.set(s.string(), { optional: true }),
      env: s.map(s.string(), { optional: true }),
      free: s.preserved({ optional: true }),
      inner: s.object({ a: s.string({ optional: true }), b: s.string({ optional: true }) }, { optional: true }),
      ports: s.listMap(
        s.object({ port: s.int32(), protocol: s.string({ default: 'TCP' }), name: s.string({ optional: true }) }),
        { keys: ['port', 'protocol'], optional: true },
      ),
      parts: s.listMap(
        s.object({ name: s.string(), image: s.string({ optional: true }), env: s.map(s.string(), { optional: true }) }),
        {
          keys: ['name'],
          optional: true,
        },
      ),
    },
    { default: {} },
  ),
});

const schema = (
  Thing.crd() as unknown as { spec: { versions: readonly [{ schema: { openAPIV3Schema: StructuralSchema } }] } }
).spec.versions[0].schema.openAPIV3Schema;
const versions = onlyVersion(objectType(schema));
/** Those that always run; another one with TRACE_SEED. */
const seeds = process.env['TRACE_SEED'] ? [Number(process.env['TRACE_SEED'])] : [1, 2, 3];

type Spec = { readonly [field: string]: Json };

/** A spec of few fields with few values, so that managers often meet. */
function specOf(random: () => number): Spec {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const some = <T>(...values: readonly T[]): T[] => values.filter(() => random() < 0.4);
  const fields: Record<string, () => Json> = {
    count: () => pick(1, 2, 3),
    args: () => some('x', 'y', 'z'),
    tags: () => some('red', 'green', 'blue'),
    env: () => Object.fromEntries(some('A', 'B', 'constructor').map((key) => [key, pick('1', '2')])),
    free: () => pick<Json>(1, { deep: { a: pick(1, 2) } }, { deep: { b: [1, 2] } }, ['l']),
    inner: () => Object.fromEntries(some('a', 'b').map((key) => [key, pick('1', '2')])),
    ports: () =>
      some<Spec>({ port: 80 }, { port: 80, protocol: 'UDP' }, { port: 81, protocol: 'TCP' }).map((port) =>
        random() < 0.5 ? { ...port, name: pick('p', 'q') } : port,
      ),
    parts: () =>
      some('web', 'log', 'mesh').map((name) => ({
        name,
        ...(random() < 0.6 ? { image: pick('v1', 'v2') } : {}),
        ...(random() < 0.3 ? { env: { A: pick('1', '2') } } : {}),
      })),
  };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(() => random() < 0.4)
      .map(([name, value]) => [name, value()]),
  );
}

/** The same story told to our model. */
class Model {
  object: Json = {};
  managers: Managers = new Map();

  apply(manager: string, spec: Spec, force: boolean): 'done' | 'conflict' | 'unknown' {
    try {
      const config: Json = { spec };
      const result = apply(this.object, config, versions, this.managers, `${manager} Apply`, force);
      // What becomes of a map or list that an apply emptied is a matter of validation, and not told here.
      if (result.managers.size === 0 || JSON.stringify(result.object).includes('null')) return 'unknown';
      const object = withDefaults(schema, result.object) as Json;
      this.managers = result.managers;
      this.object = object;
      return 'done';
    } catch (error) {
      if (error instanceof ClashError) return 'conflict';
      throw error;
    }
  }

  patch(manager: string, spec: Spec): 'done' {
    const after = withDefaults(schema, mergePatch(this.object, { spec })) as Json;
    this.managers = update(this.object, after, versions, this.managers, `${manager} Update`);
    this.object = after;
    return 'done';
  }

  get owners(): Record<string, unknown> {
    return Object.fromEntries([...this.managers].map(([name, { fields }]) => [name, fields.toFieldsV1()]));
  }
}

function ownersOf({ metadata }: KubeObject): Record<string, unknown> {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]),
  );
}

onRealCluster('ownership of fields', {}, (plane) => {
  let cluster: HttpCluster;
  beforeAll(async () => {
    await plane().kubectl(['apply', '--server-side', '-f', '-'], { stdin: JSON.stringify(Thing.crd()) });
    await untilServed(plane(), 'things.embedded.example.com');
    cluster = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => cluster?.close());

  it.each(seeds)('is what the API server says it is, whatever managers do (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const namespace = 'default';
    for (let object = 0; object < 40; object++) {
      const name = `thing-${seed}-${object}`;
      const model = new Model();
      const story: string[] = [];
      model.apply('first', { count: 1 }, true);
      await cluster.apply(
        Thing,
        { apiVersion: Thing.apiVersion, kind: 'Thing', metadata: { name, namespace }, spec: { count: 1 } },
        { fieldManager: 'first', force: true },
      );
      for (let step = 0; step < 8; step++) {
        const manager = ['first', 'second', 'third'][Math.floor(random() * 3)] as string;
        const [isPatch, force, spec] = [random() < 0.35, random() < 0.7, specOf(random)];
        story.push(
          `${manager} ${isPatch ? 'patches' : force ? 'applies with force' : 'applies'} ${JSON.stringify(spec)}`,
        );
        const ours = isPatch ? model.patch(manager, spec) : model.apply(manager, spec, force);
        if (ours === 'unknown') break;
        const manifest = { apiVersion: Thing.apiVersion, kind: 'Thing', metadata: { name, namespace }, spec };
        const theirs = await (isPatch
          ? cluster.patch(Thing, { name, namespace }, { type: 'merge', body: { spec } }, { fieldManager: manager })
          : cluster.apply(Thing, manifest, { fieldManager: manager, force })
        ).then(
          () => 'done',
          (error: unknown) => {
            if (error instanceof FieldConflict) return 'conflict';
            throw error;
          },
        );
        const live = await cluster.get(Thing, { name, namespace });
        expect({ story, answer: ours, spec: (model.object as { spec?: Json }).spec, owners: model.owners }).toEqual({
          story,
          answer: theirs,
          spec: live['spec'],
          owners: ownersOf(live),
        });
      }
    }
  });
});
