import { beforeAll, describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { Memcached } from '../../src/operators/memcached.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { untilServed } from '../cluster/until-served.js';
import { runKilter } from './run-kilter.js';

/** A kind that its group serves in one version alone. */
const kindOf = (kind: string, version: string) =>
  customResource({ group: 'tools.example.com', version, kind, spec: s.object({}) });
const [Saw, Axe] = [kindOf('Saw', 'v2'), kindOf('Axe', 'v1')];

onEveryCluster('kilter', {}, (plane, isReal) => {
  const kilter = (...args: string[]) => runKilter([...args, '--kubeconfig', plane().kubeconfig]);
  const annotations = async () => {
    const { stdout } = await plane().kubectl(['get', 'memcached', 'cache', '-o', 'json']);
    const { metadata } = JSON.parse(stdout) as { metadata: { annotations?: Record<string, string> } };
    return metadata.annotations ?? {};
  };

  beforeAll(async () => {
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(Memcached.crd()) });
    await untilServed(plane(), Memcached.crd().metadata.name);
    const cache = {
      apiVersion: Memcached.apiVersion,
      kind: 'Memcached',
      metadata: { name: 'cache' },
      spec: { size: 1 },
    };
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(cache) });
  });

  describe('suspends, resumes and reconciles', () => {
    it.each(['mc', 'memcached', 'memcacheds', 'Memcached', 'memcacheds.memcached.cache.example.com'])(
      'a custom resource of the kind %s',
      async (kind) => {
        expect(await kilter('suspend', `${kind}/cache`)).toMatchObject({
          exitCode: 0,
          stdout: 'Memcached/default/cache suspended\n',
        });
        expect(await annotations()).toMatchObject({ 'memcached.cache.example.com/reconcile': 'suspended' });
        expect(await kilter('resume', `${kind}/cache`, '-n', 'default')).toMatchObject({ exitCode: 0 });
        expect(await annotations()).not.toHaveProperty(['memcached.cache.example.com/reconcile']);
      },
    );

    it('by a time that the controller echoes', async () => {
      expect(await kilter('reconcile', 'mc/cache')).toMatchObject({
        exitCode: 0,
        stdout: 'Memcached/default/cache asked to reconcile\n',
      });
      const { 'memcached.cache.example.com/requested-at': at = '' } = await annotations();
      expect(new Date(at).toISOString()).toBe(at);
    });
  });

  it('suspends one of a kind that is not in the version that its group prefers', async () => {
    for (const kind of [Saw, Axe]) await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(kind.crd()) });
    await untilServed(plane(), Axe.crd().metadata.name);
    const { apiVersion, kind } = Axe;
    const axe = JSON.stringify({ apiVersion, kind, metadata: { name: 'big' }, spec: {} });
    await plane().kubectl(['apply', '-f', '-'], { stdin: axe });
    for (const said of ['axe', 'axes.tools.example.com']) {
      const suspended = { exitCode: 0, stdout: 'Axe/default/big suspended\n' };
      await eventually(async () => expect(await kilter('suspend', `${said}/big`)).toMatchObject(suspended));
    }
  });

  // The embedded API server has none but itself.
  if (isReal) {
    it('finds kinds while an aggregated API server is away, which it names to others', async () => {
      const apiService = {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v1.away.example.com' },
        spec: {
          group: 'away.example.com',
          version: 'v1',
          service: { namespace: 'default', name: 'nobody' },
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 1000,
          versionPriority: 15,
        },
      };
      await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(apiService) });
      try {
        await eventually(async () =>
          expect((await kilter('resume', 'nothing/cache')).stderr).toContain('through: away.example.com'),
        );
        expect(await kilter('resume', 'mc/cache')).toMatchObject({ exitCode: 0 });
      } finally {
        await plane().kubectl(['delete', 'apiservice', apiService.metadata.name]);
      }
    });

    it('says how one is suspended that is refused as it is, whatever is changed of it', async () => {
      const apiVersion = 'admissionregistration.k8s.io/v1';
      const rule = { apiGroups: ['memcached.cache.example.com'], apiVersions: ['*'], resources: ['memcacheds'] };
      const policy = {
        matchConstraints: { resourceRules: [{ ...rule, operations: ['UPDATE'] }] },
        validations: [{ expression: 'object.spec.size > 7', message: 'too small' }],
      };
      const metadata = { name: 'large.example.com' };
      const items = [
        { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec: policy },
        {
          apiVersion,
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata,
          spec: { policyName: metadata.name, validationActions: ['Deny'] },
        },
      ];
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      await plane().kubectl(['apply', '-f', '-'], { stdin: list });
      try {
        await eventually(async () => {
          const { stderr } = await kilter('suspend', 'mc/cache');
          expect(stderr).toContain('too small');
          expect(stderr).toContain(
            'put that right, and set memcached.cache.example.com/reconcile: suspended in the same edit',
          );
        }, 60);
      } finally {
        await plane().kubectl(['delete', '-f', '-'], { stdin: list });
        await eventually(async () => expect(await kilter('resume', 'mc/cache')).toMatchObject({ exitCode: 0 }), 60);
      }
    }, 150_000);
  }

  it.each([
    ['a kind that there is not', 'nothing/cache', 'the cluster has no kind of custom resource "nothing"'],
    ['an object that there is not', 'mc/other', 'hint: give its namespace with -n, if that is another than default'],
    ['an object that no operator has', 'deployment/cache', 'Deployment is no custom resource'],
    ['no name', 'mc', '"mc" names no custom resource'],
    ['too many names', 'mc/a/b', '"mc/a/b" names no custom resource'],
  ])('refuses %s', async (_, said, message) => {
    const { exitCode, stderr } = await kilter('suspend', said);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});
