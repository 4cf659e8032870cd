import { describe, expect, it } from '@jest/globals';
import {
  ConfigMap,
  Deployment,
  Namespace,
  type NamespaceObject,
  Pod,
  Service,
  ServiceAccount,
} from '../../../imports/k8s.js';
import { SmallWorld, workload } from './small-world.js';

describe('a namespace', () => {
  it('is there from the start where every cluster has one, with the Service of the API server', async () => {
    const world = new SmallWorld();
    await world.settle();
    expect(await world.names(Namespace)).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    expect(await world.names(Service)).toEqual(['kubernetes']);
  });

  it('has a ServiceAccount and a root certificate, and gets them back', async () => {
    const world = new SmallWorld({ rootCertificate: 'PEM' });
    await world.create(Namespace, { metadata: { name: 'team' } });
    await world.settle();
    expect(await world.names(ServiceAccount, 'team')).toEqual(['default']);
    expect(await world.get(ConfigMap, 'kube-root-ca.crt', 'team')).toMatchObject({ data: { 'ca.crt': 'PEM' } });
    await world.cluster.delete(ServiceAccount, { namespace: 'team', name: 'default' });
    await world.cluster.delete(ConfigMap, { namespace: 'team', name: 'kube-root-ca.crt' });
    await world.settle();
    expect(await world.names(ServiceAccount, 'team')).toEqual(['default']);
    expect(await world.names(ConfigMap, 'team')).toEqual(['kube-root-ca.crt']);
  });

  it('is deleted with all that is in it', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, stopAfterSeconds: 10 } });
    await world.create(Namespace, { metadata: { name: 'team' } });
    const { metadata, ...rest } = workload('web', { replicas: 2 });
    await world.create(Deployment, { metadata: { ...metadata, namespace: 'team' }, ...rest });
    await world.settle();
    expect(await world.names(Pod, 'team')).toHaveLength(2);
    await world.cluster.delete(Namespace, { name: 'team' });
    await world.clock.advance(0);
    expect(await world.get(Namespace, 'team')).toMatchObject({ status: { phase: 'Terminating' } });
    await world.settle();
    expect(await world.names(Namespace)).not.toContain('team');
    const inside = world.server.kinds.all.flatMap(({ storage }) => world.server.store.list(storage, 'team'));
    expect(inside).toEqual([]);
  });

  it('says what keeps it', async () => {
    const world = new SmallWorld();
    await world.create(Namespace, { metadata: { name: 'team' } });
    const held = { name: 'held', namespace: 'team', finalizers: ['example.com/hold'] };
    await world.create(ConfigMap, { metadata: held });
    await world.cluster.delete(Namespace, { name: 'team' });
    await world.settle();
    const { status } = await world.get<NamespaceObject>(Namespace, 'team');
    expect(
      status?.conditions?.map(({ type, status: value, reason, message }) => [type, value, reason, message]),
    ).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      [
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 1 resource instances',
      ],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
      ],
    ]);
    const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    await world.cluster.patch(ConfigMap, { namespace: 'team', name: 'held' }, patch, { fieldManager: 'test' });
    await world.settle();
    expect(await world.names(Namespace)).not.toContain('team');
  });
});
