import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition, Deployment, Namespace } from '../../imports/k8s.js';
import type { Operator } from '../../src/compose/operator.js';
import { type LocalCluster, startLocalCluster } from '../../src/embedded/local-cluster.js';
import { customResource, type ExternalOf, operator, s } from '../../src/index.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { readFlags } from '../../src/program/flags.js';
import { runUntilStopped } from '../../src/program/run-until-stopped.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { eventually } from '../cluster/eventually.js';
import { conditionIn } from '../condition-in.js';
import { Note, note } from '../runtime/a-note.js';

const Counted = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Counted',
  plural: 'counteds',
  spec: s.object({}),
  status: s.object({ looks: s.int32() }),
});

/** An operator that says how often it has looked, by itself once an hour, each time for a moment. */
function counting(service: { looks: number; atOnce: number; mostAtOnce: number }) {
  const looks = {
    pollSeconds: 3600,
    async observe() {
      service.mostAtOnce = Math.max(service.mostAtOnce, ++service.atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      service.atOnce--;
      return ++service.looks;
    },
    ensure: async (_, observed) => observed ?? 0,
    remove: async () => {},
  } satisfies ExternalOf<typeof Counted, number>;
  return operator(Counted, {
    owns: [],
    external: { looks },
    compose: () => ({}),
    status: (_, __, ___, outside) => ({ looks: outside.looks ?? 0 }),
  });
}

describe('a controller that was told by its flags', () => {
  let cluster: LocalCluster;
  let folder: string;
  let end: () => Promise<unknown>;
  beforeEach(async () => {
    end = async () => {};
    folder = mkdtempSync(join(tmpdir(), 'kilter-flags-'));
    cluster = await startLocalCluster({ controllers: { pods: false } });
    writeFileSync(join(folder, 'kubeconfig'), cluster.kubeconfig({ token: cluster.identity.adminToken }));
    for (const name of ['in', 'out']) await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const kind of [Note, Counted]) await apply(kind.crd());
  });
  afterEach(async () => {
    await end();
    await cluster.close();
    rmSync(folder, { recursive: true });
  });

  const kinds = [Namespace, CustomResourceDefinition, ConfigMap, Note, Counted];
  const apply = (manifest: Manifest) => {
    const resource = kinds.find(({ kind }) => kind === manifest.kind)!;
    return cluster.server.cluster().apply(resource, manifest, { fieldManager: 'somebody', force: true });
  };
  const wish = (kind: typeof Note | typeof Counted, name: string, namespace = 'in') =>
    apply({ apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace }, spec: {} });
  const all = async (kind: typeof Note | typeof Counted | typeof ConfigMap | typeof Deployment) =>
    (await cluster.server.cluster().list(kind)).items;
  const run = async (operators: readonly Operator[], ...words: readonly string[]) => {
    await end();
    const usual = [`--kubeconfig=${join(folder, 'kubeconfig')}`, '--health-probe-bind-address=0'];
    const read = readFlags(
      [...usual, ...words],
      operators.map(({ name }) => name),
    );
    if (read.type === 'exit') throw new Error(read.text);
    const stop = new AbortController();
    const ended = runUntilStopped(operators, read.flags, silentLog, stop);
    end = () => {
      stop.abort(new Error('the test is over'));
      return ended;
    };
  };
  const readiness = (objects: readonly KubeObject[]) => objects.map((each) => conditionIn(each)?.status);
  const ready = (kind: typeof Note | typeof Counted, count: number) =>
    eventually(async () => expect(readiness(await all(kind))).toEqual(Array(count).fill('True')));

  it('works in the namespaces of --watch-namespaces alone', async () => {
    await wish(Note, 'a', 'out');
    await wish(Note, 'b');
    await run([note], '--watch-namespaces=in');
    await eventually(async () => expect(readiness(await all(Note))).toContain('True'));
    await wish(Note, 'c');
    await eventually(async () => expect(readiness(await all(Note)).filter(Boolean)).toEqual(['True', 'True']));
    const places = (await all(ConfigMap)).filter(({ metadata }) => metadata.name.endsWith('-text'));
    expect(places.map(({ metadata }) => metadata.namespace)).toEqual(['in', 'in']);
  });

  it('only reports by --drift-mode=report', async () => {
    await wish(Note, 'a');
    await run([note]);
    await ready(Note, 1);
    await end();
    const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-text', namespace: 'in' } };
    await apply({ ...child, data: { by: 'them' } });
    await run([note], '--drift-mode=report');
    await eventually(async () => expect(conditionIn((await all(Note))[0]!, 'Drifted')?.status).toBe('True'));
    const found = (await all(ConfigMap)).find(({ metadata }) => metadata.name === 'a-text');
    expect(found).toMatchObject({ data: { by: 'them' } });
  });

  it('asks no namespace for its consent by --assume-consent', async () => {
    const afar = operator(Note, {
      reach: 'consent',
      owns: [ConfigMap],
      compose(scope) {
        new ConfigMap(scope, 'text', { metadata: { namespace: 'out' }, data: { by: 'us' } });
      },
    });
    await wish(Note, 'a');
    await run([afar], '--assume-consent');
    await ready(Note, 1);
    expect((await all(ConfigMap)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toContain(
      'out/a-text',
    );
  });

  it('looks at all custom resources again after --sync-period', async () => {
    await wish(Counted, 'a');
    await run([counting({ looks: 0, atOnce: 0, mostAtOnce: 0 })], '--sync-period=100ms');
    await eventually(async () => {
      const { status } = (await all(Counted))[0] as KubeObject & { readonly status?: { readonly looks?: number } };
      expect(status?.looks).toBeGreaterThan(9);
    });
  });

  it('works on no more at once than --max-concurrent-reconciles', async () => {
    const service = { looks: 0, atOnce: 0, mostAtOnce: 0 };
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await wish(Counted, name);
    await run([counting(service)], '--max-concurrent-reconciles=1');
    await ready(Counted, 6);
    expect(service.mostAtOnce).toBe(1);
  });

  it('changes no more at once than --rollout-limit', async () => {
    const next = operator(Note, {
      owns: [ConfigMap, Deployment],
      compose(scope) {
        new ConfigMap(scope, 'text', { data: { by: 'us' } });
        const labels = { app: 'a' };
        const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
        new Deployment(scope, 'server', { spec: { selector: { matchLabels: labels }, template } });
      },
    });
    for (const name of ['a', 'b', 'c']) await wish(Note, name);
    await run([note]);
    await ready(Note, 3);
    await run([next], '--rollout-limit=1');
    await eventually(async () => expect(readiness(await all(Note))).toContain('False'));
    expect(readiness(await all(Note)).sort()).toEqual(['False', 'True', 'True']);
    expect(await all(Deployment)).toHaveLength(1);
  });

  it('makes no more calls than --kube-api-qps lets it', async () => {
    await run([note], '--kube-api-qps=2', '--kube-api-burst=1');
    await wish(Note, 'first');
    await ready(Note, 1);
    const began = performance.now();
    for (const name of ['a', 'b', 'c']) await wish(Note, name);
    await ready(Note, 4);
    // Two writes for each, of which the first waits for nothing.
    expect(performance.now() - began).toBeGreaterThan(2400);
  });
});
