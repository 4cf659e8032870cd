import { describe, expect, it } from '@jest/globals';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import { isAutoscaled, withHeldFields } from '../../src/drift/handed-over.js';
import type { KubeObject, ManagedFieldsEntry } from '../../src/kube/manifest.js';
import { entry, stored } from './an-object.js';

const Deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const desired = {
  ...Deployment,
  metadata: { name: 'a' },
  spec: { template: { spec: { containers: [{ name: 'web', image: 'new' }] } } },
};
const web = 'f:spec f:template f:spec f:containers k:{"name":"web"}';
const limit = `${web} f:resources f:limits f:cpu`;
const observed = (...others: readonly ManagedFieldsEntry[]) =>
  stored(
    {
      ...Deployment,
      metadata: { name: 'a' },
      spec: {
        replicas: 3,
        paused: true,
        template: { spec: { containers: [{ name: 'web', image: 'old', resources: { limits: { cpu: '1' } } }] } },
      },
    },
    [entry('us', 'Apply', ['f:spec f:replicas', 'f:spec f:paused', `${web} f:image`, limit]), ...others],
  );
const modes = DriftPolicy.of({
  rules: [{ kind: Deployment, field: 'spec.template.spec.containers[*].resources', mode: 'ignore' }],
}).fieldsOf(Deployment);

describe('what is no longer declared', () => {
  it('is held as it is, of replicas', () => {
    expect(withHeldFields(desired, observed(), 'us', undefined)).toEqual({
      ...desired,
      spec: { ...desired.spec, replicas: 3 },
    });
  });

  it('is held, of what a rule ignores, and nothing else', () => {
    expect(withHeldFields(desired, observed(), 'us', modes)).toMatchObject({
      spec: {
        replicas: 3,
        template: { spec: { containers: [{ name: 'web', image: 'new', resources: { limits: { cpu: '1' } } }] } },
      },
    });
    expect(withHeldFields(desired, observed(), 'us', modes)).not.toHaveProperty('spec.paused');
  });

  it('is held no longer than until somebody else has it', () => {
    const theirs = [
      entry('them', 'Update', [limit]),
      entry('hpa', 'Update', ['f:spec f:replicas'], { subresource: 'scale' }),
    ];
    expect(withHeldFields(desired, observed(...theirs), 'us', modes)).toBe(desired);
  });

  it('is held in the item that has all keys, and not in one that might be it', () => {
    const Service = { apiVersion: 'v1', kind: 'Service' };
    const of = (ports: readonly object[]) => ({ ...Service, metadata: { name: 'a' }, spec: { ports } });
    const [udp, node] = [{ port: 53, protocol: 'UDP' }, 'f:spec f:ports k:{"port":53,"protocol":"UDP"} f:nodePort'];
    const shown = stored(of([{ ...udp, nodePort: 30053 }]), [entry('us', 'Apply', [node])]);
    const rules = [{ kind: Service, field: 'spec.ports[*].nodePort', mode: 'ignore' as const }];
    const held = withHeldFields(of([{ port: 53 }, udp]), shown, 'us', DriftPolicy.of({ rules }).fieldsOf(Service));
    expect(held).toEqual(of([{ port: 53 }, { ...udp, nodePort: 30053 }]));
  });

  it('is not held in an item that is dropped as a whole', () => {
    const without = { ...desired, spec: { replicas: 1, template: { spec: { containers: [{ name: 'other' }] } } } };
    expect(withHeldFields(without, observed(), 'us', modes)).toEqual(without);
  });

  it('is not held of a kind that has other replicas', () => {
    const custom = { apiVersion: 'example.com/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: {} };
    expect(withHeldFields(custom, observed(), 'us', undefined)).toBe(custom);
  });
});

describe('replicas are left to an autoscaler', () => {
  const replicas = ['f:spec', 'f:replicas'];
  const asChild = (object: KubeObject) => ({ desired, observed: object, manager: 'us' });
  const scaled = (manager: string, rest: ManagedFieldsEntry) =>
    observed(entry(manager, 'Update', ['f:spec f:replicas'], rest));
  it.each<[string, boolean, ManagedFieldsEntry]>([
    ['kube-controller-manager', true, { subresource: 'scale' }],
    ['keda', true, { subresource: 'scale' }],
    ['k3s', true, { subresource: 'scale' }],
    ['kubelite', true, { subresource: 'scale' }],
    ['kubectl', false, { subresource: 'scale' }],
    ['kube-controller-manager', false, {}],
  ])('when %s is one: %s', (manager, expected, rest) => {
    expect(isAutoscaled(replicas, asChild(scaled(manager, rest)), undefined)).toBe(expected);
  });

  const forgotten = entry('ancient-changes', 'Update', ['f:spec f:replicas', 'f:spec f:paused']);
  const own = (...fields: readonly string[]) => entry('us', 'Apply', fields);
  it.each<[string, boolean, number, readonly ManagedFieldsEntry[]]>([
    ['we own the rest alone', true, 3, [own('f:spec f:paused'), forgotten]],
    ['they are ours', false, 2, [own('f:spec f:paused', 'f:spec f:replicas'), forgotten]],
    ['nothing is ours, and they are as we wrote them', false, 3, [forgotten]],
    ['nothing is ours, and they are not', true, 2, [forgotten]],
    ['they were removed', false, 2, [entry('ancient-changes', 'Update', ['f:spec f:paused'])]],
  ])('of whom the server has forgotten the name, where %s: %s', (_, expected, wanted, entries) => {
    const object = stored(observed(), entries);
    const child = { ...asChild(object), desired: { ...desired, spec: { replicas: wanted } } };
    expect(isAutoscaled(replicas, child, undefined)).toBe(expected);
  });

  it('unless a rule takes them back', () => {
    const rules = [{ kind: Deployment, field: 'spec.replicas', mode: 'enforce' as const }];
    const object = scaled('keda', { subresource: 'scale' });
    expect(isAutoscaled(replicas, asChild(object), DriftPolicy.of({ rules }).fieldsOf(Deployment))).toBe(false);
  });
});
