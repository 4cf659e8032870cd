import { describe, expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import type { KubeObject } from '../../src/kube/manifest.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { expectGolden } from './golden.js';

const cache = { metadata: { name: 'cache', namespace: 'prod' }, spec: { size: 3 } };
const stored = {
  apiVersion: 'memcached.cache.example.com/v1',
  kind: 'Memcached',
  metadata: { name: 'cache', namespace: 'prod', uid: '0f2a', resourceVersion: '7', generation: 2 },
  spec: { size: 3, image: 'memcached:1.6.31' },
};

const observed = (kind: string, name: string, status: object = {}): KubeObject => ({
  apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name, namespace: 'prod', uid: name, resourceVersion: '1' },
  status,
});

describe('memcached', () => {
  it('composes a Deployment and a headless Service', () => {
    expectGolden('memcached', memcached.desired(cache));
  });

  it('composes no pods for size 0', () => {
    expectGolden('memcached-of-size-zero', memcached.desired({ ...cache, spec: { size: 0 } }));
  });

  it('owns its children once the cluster knows it', () => {
    expectGolden('memcached-in-the-cluster', memcached.composition(stored, { pods: [] }).children);
  });

  it('cuts names and labels that a long name does not leave room for', () => {
    const name = `${'cache-for-sessions.'.repeat(10)}team-blue`;
    expectGolden('memcached-of-a-long-name', memcached.desired({ ...cache, metadata: { name, namespace: 'prod' } }));
  });

  it('is defined for the API server', () => {
    expectGolden('memcached-definition', [Memcached.crd()]);
  });

  it('keeps its selector whatever the spec', () => {
    const selector = (size: number, image: string) => {
      const [deployment] = memcached.desired({ ...cache, spec: { size, image } });
      return (deployment!['spec'] as { selector: unknown }).selector;
    };
    expect(selector(1, 'memcached:1')).toEqual(selector(10, 'memcached:2'));
  });

  it('selects no pods of another Memcached', () => {
    const service = (name: string) =>
      memcached.desired({ ...cache, metadata: { name, namespace: 'prod' } })[1]?.['spec'];
    expect(service('cache')).not.toEqual(service('store'));
  });

  it.each<[string, readonly string[], object | undefined, object]>([
    ['nothing is observed yet', [], undefined, { nodes: [], readyReplicas: 0 }],
    ['the Deployment has no status yet', [], {}, { nodes: [], readyReplicas: 0 }],
    ['pods are there', ['c', 'a', 'b'], { readyReplicas: 2 }, { nodes: ['a', 'b', 'c'], readyReplicas: 2 }],
  ])('shows the names of its pods, sorted, and how many are ready, when %s', (_, pods, deployment, status) => {
    const server = deployment && observed('Deployment', 'cache-server', deployment);
    const read = { pods: pods.map((name) => observed('Pod', name)) };
    expect(memcached.status({ server }, read, stored)).toEqual(status);
    expect(read.pods.map(({ metadata }) => metadata.name)).toEqual(pods);
  });

  it('reads the pods that it runs', () => {
    const { pods } = memcached.reads;
    const [deployment] = memcached.composition(stored, {}).children;
    const { template } = deployment!['spec'] as { template: { metadata: { labels: unknown } } };
    expect(pods?.resource.kind).toBe('Pod');
    expect(pods?.select(stored as never)).toEqual({ labels: template.metadata.labels });
  });

  it.each([
    [{ size: -1 }, 'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0'],
    [{ size: 11 }, 'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    [{}, 'spec.size: Required value'],
    [{ size: 1, image: '' }, 'spec.image'],
  ])('refuses %j', (spec, words) => {
    expect(() => memcached.desired({ ...cache, spec: spec as { size: number } })).toThrow(words);
  });

  it('renders into an ordinary chart what it would create, for Git to own', () => {
    const chart = new Chart(new App(), 'caches');
    memcached.compose(chart, { ...cache, metadata: { ...cache.metadata, uid: '0f2a' } });
    memcached.compose(chart, { ...cache, metadata: { name: 'cache', namespace: 'test' } });
    const rendered = chart.toJson() as readonly KubeObject[];
    expect(rendered.slice(0, 2)).toEqual(memcached.desired(cache));
    expect(rendered.map(({ metadata }) => metadata.namespace)).toEqual(['prod', 'prod', 'test', 'test']);
    expect(JSON.stringify(rendered)).not.toContain('ownerReferences');
  });
});
