import { beforeAll, expect, it } from '@jest/globals';
import { childName } from '../../src/compose/child-name.js';
import { customResource, s } from '../../src/index.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { untilServed } from '../cluster/until-served.js';

const Cache = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Cache',
  shortNames: ['ca'],
  categories: ['stores'],
  description: 'Cache keeps things at hand.',
  spec: s.object({
    size: s.int32({ minimum: 0, maximum: 10, description: 'How many pods.' }),
    image: s.string({ default: 'cache:1' }),
    hosts: s.listMap(s.object({ name: s.string(), port: s.int32({ optional: true }) }), {
      keys: ['name'],
      optional: true,
    }),
    free: s.preserved({ optional: true }),
    until: s.string({ format: 'date-time', optional: true }),
  }),
  status: s.object({ ready: s.int32(), selector: s.string() }),
  columns: { Size: '.spec.size', First: '.spec.hosts[0].port', Until: '.spec.until' },
  scale: { replicas: '.spec.size', statusReplicas: '.status.ready', selector: '.status.selector' },
});
const Foo = customResource({ group: 'samplecontroller.k8s.io', version: 'v1alpha1', kind: 'Foo', spec: s.object({}) });
const Fleet = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Fleet',
  namespaced: false,
  spec: s.object({}),
});

const cache = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  metadata: { name: 'a', namespace: 'default' },
  spec: { size: 3, hosts: [{ name: 'h', port: 80 }], free: { any: ['thing'] }, until: '2020-01-01T00:00:00Z' },
};
const ready = {
  type: 'Ready',
  status: 'False',
  reason: 'Progressing',
  message: 'Deployment/a-server has 1 of 3 pods',
  observedGeneration: 1,
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

async function apply(plane: ControlPlane, object: unknown, ...flags: readonly string[]) {
  return plane.kubectl(['apply', '--server-side', ...flags, '-f', '-'], {
    stdin: JSON.stringify(object),
    allowFailure: true,
  });
}

onRealCluster('a definition in a cluster', {}, (plane) => {
  beforeAll(async () => {
    for (const kind of [Cache, Foo, Fleet]) {
      const { exitCode, stderr } = await apply(plane(), kind.crd());
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      await untilServed(plane(), kind.crd().metadata.name);
    }
    await plane().kubectl(['wait', '--for=create', '--timeout=30s', 'namespace/default']);
    expect(await apply(plane(), cache)).toMatchObject({ exitCode: 0 });
    const status = {
      ready: 1,
      selector: 'app=a',
      observedGeneration: 1,
      lastHandledReconcileAt: 'now',
      conditions: [ready],
    };
    const { apiVersion, kind, metadata } = cache;
    expect(await apply(plane(), { apiVersion, kind, metadata, status }, '--subresource=status')).toMatchObject({
      exitCode: 0,
    });
  });

  it('is structural, named as asked, and has no complaints', async () => {
    for (const kind of [Cache, Foo, Fleet]) {
      const { stdout } = await plane().kubectl(['get', 'crd', kind.crd().metadata.name, '-o', 'json']);
      const { status } = JSON.parse(stdout) as { status: { conditions: { type: string; status: string }[] } };
      const held = Object.fromEntries(status.conditions.map(({ type, status: value }) => [type, value]));
      // Nobody approved Foo, and it says so.
      expect(held).toMatchObject({ NamesAccepted: 'True', Established: 'True' });
      expect(held).not.toHaveProperty('NonStructuralSchema');
    }
  });

  it('is applied again without a change', async () => {
    const version = async () =>
      (await plane().kubectl(['get', 'crd', 'caches.example.com', '-o', 'jsonpath={.metadata.resourceVersion}']))
        .stdout;
    const before = await version();
    await apply(plane(), Cache.crd());
    expect(await version()).toBe(before);
  });

  it('shows its columns to kubectl, and generation and message to those who ask for more', async () => {
    const table = async (...flags: readonly string[]) => {
      const { stdout } = await plane().kubectl(['get', 'ca', 'a', ...flags]);
      return stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}/));
    };
    const [head, row] = await table();
    expect(head).toEqual(['NAME', 'SIZE', 'FIRST', 'UNTIL', 'READY', 'STATUS', 'AGE']);
    expect(row).toEqual(['a', '3', '80', expect.stringMatching(/^\d+y/), 'False', 'Progressing', expect.any(String)]);
    const [wideHead, wideRow] = await table('-o', 'wide');
    expect(wideHead?.slice(-2)).toEqual(['REVISION', 'MESSAGE']);
    expect(wideRow?.at(-1)?.trim()).toBe(ready.message);
    expect((await plane().kubectl(['get', 'stores'])).stdout).toContain('SIZE');
  });

  it('is explained by kubectl', async () => {
    // The server publishes the OpenAPI document of a definition a moment after it serves the kind.
    await eventually(async () => {
      const { stdout } = await plane().kubectl(['explain', 'cache.spec.size']);
      expect(stdout).toContain('How many pods.');
    });
  });

  it('is scaled by kubectl, within its limits, and tells autoscalers what it selects', async () => {
    expect(await plane().kubectl(['scale', 'cache/a', '--replicas=5'])).toMatchObject({ exitCode: 0 });
    const { stdout } = await plane().kubectl([
      'get',
      '--raw',
      '/apis/example.com/v1/namespaces/default/caches/a/scale',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ spec: { replicas: 5 }, status: { replicas: 1, selector: 'app=a' } });
    const tooMany = await plane().kubectl(['scale', 'cache/a', '--replicas=11'], { allowFailure: true });
    expect(tooMany.stderr).toContain('spec.size: Invalid value: 11');
  });

  it('refuses a bad custom resource in the words that we use offline', async () => {
    const bad = { ...cache, metadata: { name: 'bad', namespace: 'default' }, spec: { size: 11 } };
    const [problem] = Cache.validate(bad);
    const { stderr } = await apply(plane(), bad);
    expect(stderr).toContain(`${problem?.path}: ${problem?.message}`);
  });

  it('takes any part of a status, and no condition without a reason', async () => {
    const { apiVersion, kind, metadata } = cache;
    const part = { apiVersion, kind, metadata, status: { ready: 2 } };
    const flags = ['--subresource=status', '--field-manager=part', '--force-conflicts'];
    expect(await apply(plane(), part, ...flags)).toMatchObject({ exitCode: 0 });
    const unreasoned = { ...part, status: { conditions: [{ ...ready, type: 'Other', reason: '' }] } };
    expect((await apply(plane(), unreasoned, ...flags)).stderr).toContain(
      'status.conditions[1].reason: Invalid value: ""',
    );
  });

  it('has names for children that the server takes, where custom resources have names that it would not', async () => {
    const owners = ['a.b', '9a', `${'long.'.repeat(40)}a`, 'x'.repeat(253)];
    const labels = { app: 'a' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const specs: readonly (readonly [string, string, object])[] = [
      ['v1', 'Service', { clusterIP: 'None', ports: [{ port: 80 }] }],
      ['apps/v1', 'Deployment', { selector: { matchLabels: labels }, template }],
      ['apps/v1', 'StatefulSet', { serviceName: 'a', selector: { matchLabels: labels }, template }],
      [
        'batch/v1',
        'CronJob',
        {
          schedule: '@daily',
          jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
        },
      ],
    ];
    for (const owner of owners) {
      for (const [apiVersion, kind, spec] of specs) {
        const name = childName(owner, ['server'], kind);
        const result = await apply(plane(), { apiVersion, kind, metadata: { name, namespace: 'default' }, spec });
        expect({ name, exitCode: result.exitCode, ...(result.exitCode === 0 ? {} : result) }).toEqual({
          name,
          exitCode: 0,
        });
      }
    }
  });
});
