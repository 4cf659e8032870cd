import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const gauges: ApiResource = { apiVersion: 'watch.kilter.dev/v1', kind: 'Gauge', plural: 'gauges', namespaced: true };
const definition: Manifest = {
  apiVersion: definitions.apiVersion,
  kind: definitions.kind,
  metadata: { name: 'gauges.watch.kilter.dev' },
  spec: {
    group: 'watch.kilter.dev',
    scope: 'Namespaced',
    names: { plural: 'gauges', kind: 'Gauge' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const gauge = { apiVersion: gauges.apiVersion, kind: gauges.kind };
const definitionSpec = definition['spec'] as { readonly versions: readonly object[] };
const write = { fieldManager: 'tester' };

const dials: ApiResource = { apiVersion: 'watch.kilter.dev/v1', kind: 'Dial', plural: 'dials', namespaced: true };

onEveryCluster('a watch of a custom kind', {}, (plane) => {
  let admin: HttpCluster;
  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    await admin.create(definitions, definition, write);
  });
  afterAll(() => admin?.close());

  /** What is heard until the watch ends, of one that has begun. */
  const heard = async (): Promise<{ readonly types: string[]; readonly ended: Promise<void> }> => {
    const { resourceVersion } = await eventually(() => admin.list(gauges, {}));
    const types: string[] = [];
    const watch = admin.watch(gauges, { resourceVersion, timeoutSeconds: 300 });
    const ended = (async () => {
      for await (const { type } of watch) types.push(type);
    })();
    await eventually(async () => {
      await admin.create(
        gauges,
        { ...gauge, metadata: { generateName: 'some-', namespace: 'default' } as never },
        write,
      );
      expect(types).toContain('ADDED');
    });
    return { types, ended };
  };

  it('cannot go on from before its definition changed', async () => {
    const before = await heard();
    const { resourceVersion } = await admin.list(gauges, {});
    const { versions } = definition['spec'] as { readonly versions: readonly object[] };
    const spec = {
      versions: [
        {
          ...versions[0]!,
          additionalPrinterColumns: [{ name: 'Old', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
        },
      ],
    };
    await admin.patch(definitions, { name: definition.metadata.name }, { type: 'merge', body: { spec } }, write);
    await before.ended;

    const resumed = async () => {
      for await (const { type } of admin.watch(gauges, { resourceVersion, timeoutSeconds: 1 })) return type;
      return 'nothing';
    };
    // First it has to read what there is.
    await eventually(() => expect(resumed()).rejects.toThrow('too old resource version'), 20);
  });

  it('ends when its definition changes, and when that goes, with its objects before it', async () => {
    const before = await heard();
    const columns = [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];
    const spec = { versions: [{ ...definitionSpec.versions[0]!, additionalPrinterColumns: columns }] };
    await admin.patch(definitions, { name: definition.metadata.name }, { type: 'merge', body: { spec } }, write);
    await before.ended;

    const after = await heard();
    await admin.delete(definitions, { name: definition.metadata.name });
    await after.ended;
    expect(after.types.at(-1)).toBe('DELETED');
  });

  it('selects by a field as it shows that, also where an object was stored before the field had its default', async () => {
    const of = (mode: object, more: object = {}) => ({
      group: 'watch.kilter.dev',
      scope: 'Namespaced',
      names: { plural: 'dials', kind: 'Dial' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', default: {}, properties: { mode: { type: 'string', ...mode } } } },
            },
          },
          ...more,
        },
      ],
    });
    const metadata = { name: 'dials.watch.kilter.dev' };
    await admin.create(definitions, { ...definition, metadata, spec: of({}) }, write);
    const dial = { apiVersion: dials.apiVersion, kind: dials.kind, metadata: { name: 'one', namespace: 'default' } };
    await eventually(() => admin.create(dials, dial, write));
    const spec = of({ default: 'easy' }, { selectableFields: [{ jsonPath: '.spec.mode' }] });
    await admin.patch(definitions, metadata, { type: 'merge', body: { spec } }, write);

    const fieldSelector = 'spec.mode=easy';
    const { resourceVersion } = await eventually(async () => {
      const list = await admin.list(dials, { fieldSelector });
      expect(list.items).toHaveLength(1);
      return list;
    });
    const heard: string[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      for await (const { type } of admin.watch(dials, { resourceVersion, fieldSelector, signal: stop.signal })) {
        heard.push(type);
      }
    })();
    await admin.patch(dials, dial.metadata, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }, write);
    await admin.delete(dials, dial.metadata);
    await eventually(() => expect(heard).toHaveLength(2));
    stop.abort();
    await watching.catch(() => {});
    expect(heard).toEqual(['MODIFIED', 'DELETED']);
  });
});
