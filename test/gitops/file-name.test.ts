import { describe, expect, it } from '@jest/globals';
import { fileNames } from '../../src/gitops/file-name.js';

interface Named {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
}

const names = (objects: readonly Named[], chartNamespace?: string) =>
  fileNames(
    objects.map(({ apiVersion = 'v1', kind = 'Service', name, namespace }, index) => ({
      constructPath: `chart/${index}`,
      manifest: { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } },
    })),
    chartNamespace,
  );

describe('the file of an object', () => {
  it.each([
    [
      'a cluster-scoped one',
      { kind: 'ClusterRole', name: 'memcached-operator' },
      'clusterrole-memcached-operator.yaml',
    ],
    ['one in the namespace of its chart', { name: 'web', namespace: 'home' }, 'service-web.yaml'],
    ['one in another namespace', { name: 'web', namespace: 'away' }, 'service-away_web.yaml'],
    [
      'one whose name no file may have',
      { kind: 'ClusterRole', name: 'system:Aä_b' },
      'clusterrole-system%3a%41%c3%a4%5fb.yaml',
    ],
    ['one with a path for a name', { name: '../../etc/passwd' }, 'service-..%2f..%2fetc%2fpasswd.yaml'],
  ])('is named for its kind and name: %s', (_, object, file) => {
    expect(names([object], 'home')).toEqual([file]);
  });

  it('keeps objects of one name in two namespaces apart', () => {
    expect(names([{ name: 'a_b' }, { name: 'b', namespace: 'a' }, { name: 'b', namespace: 'c' }], 'c')).toEqual([
      'service-a%5fb.yaml',
      'service-a_b.yaml',
      'service-b.yaml',
    ]);
  });

  it('keeps kinds of one name in two groups apart', () => {
    expect(names([{ name: 'web' }, { name: 'web', apiVersion: 'serving.knative.dev/v1' }])).toEqual([
      'service-web.yaml',
      'service.serving.knative.dev-web.yaml',
    ]);
  });

  it('keeps kinds of one group apart that differ in capitals alone', () => {
    const kinds = ['Foo', 'FOO'].map((kind) => ({ apiVersion: 'x.example.com/v1', kind, name: 'a' }));
    expect(names([...kinds, { kind: 'Foo', name: 'a' }])).toEqual([
      '%46oo.x.example.com-a.yaml',
      '%46%4f%4f.x.example.com-a.yaml',
      'foo-a.yaml',
    ]);
  });

  it('is no longer than a file name can be, and still tells objects apart', () => {
    const long = 'a'.repeat(252);
    const [one, other] = names([
      { kind: 'ClusterRole', name: `${long}b` },
      { kind: 'ClusterRole', name: `${long}c` },
    ]);
    expect(one).toMatch(/^clusterrole-a{229}-[0-9a-f]{8}\.yaml$/);
    expect(other).toHaveLength(255);
    expect(other).not.toBe(one);
  });

  it('does not depend on the order of the objects', () => {
    const objects = [
      { name: 'web', apiVersion: 'a.example/v1' },
      { name: 'web', apiVersion: 'b.example/v1' },
      { name: 'api' },
    ];
    expect(names([...objects].reverse())).toEqual([...names(objects)].reverse());
  });

  it.each([
    ['the same version', 'apps/v1'],
    ['another version of the group', 'apps/v1beta1'],
  ])('cannot be given to an object that was rendered before, in %s', (_, apiVersion) => {
    const twins = [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'a' },
      { apiVersion, kind: 'Deployment', name: 'web', namespace: 'a' },
    ];
    expect(() => names(twins)).toThrow('Deployment/a/web is rendered twice, by the constructs "chart/0" and "chart/1"');
  });

  it('is not that of another that goes where those of its chart go', () => {
    expect(() => names([{ name: 'web' }, { name: 'web', namespace: 'home' }], 'home')).toThrow('is rendered twice');
  });

  it('is not that of another in "default", where kustomize takes it to be if nobody says', () => {
    expect(() => names([{ name: 'web' }, { name: 'web', namespace: 'default' }])).toThrow('is rendered twice');
  });
});
