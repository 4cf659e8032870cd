import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { OperatorInstall } from '../../src/install/operator-install.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { addFinalizer, finalizerOf, removeFinalizer } from '../../src/runtime/writes/finalizer.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { untilServed } from '../cluster/until-served.js';
import { anOperator } from './an-operator.js';

const cache = anOperator({ scale: true });
const { resource } = cache;
const refusal = 'caches of more than ten are refused';
const guarded = {
  ...cache,
  // So that it has a finalizer, and the right to set it.
  external: { bookings: {} },
  resource: { ...resource, policies: [{ expression: 'object.spec.size <= 10', message: refusal }] },
};

onRealCluster('policies that refuse what a custom resource is already', {}, (plane) => {
  let person: HttpCluster;
  let controller: HttpCluster;
  const stop = new AbortController();

  beforeAll(async () => {
    const props = { operators: [guarded], image: 'cache:1', watchNamespaces: ['default'] };
    const manifests = new OperatorInstall(new App(), 'cache', props).toJson();
    const apply = async (isWanted: (manifest: Manifest) => boolean) => {
      const items = (manifests as Manifest[]).filter(isWanted);
      const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      await plane().kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], { stdin });
    };
    const isPolicy = ({ kind }: Manifest) => kind.startsWith('ValidatingAdmissionPolicy');
    await apply(({ kind }) => kind === 'Namespace' || kind === 'CustomResourceDefinition');
    await apply((manifest) => !isPolicy(manifest));
    await untilServed(plane(), resource.crd().metadata.name);
    person = connect(await kubeConfig({ path: plane().kubeconfig }));
    controller = connect(await kubeConfig({ path: await plane().serviceAccountKubeconfig('cache-system', 'cache') }));
    // It was there before the policy.
    await make('large', 11);
    await apply(isPolicy);
    await eventually(async () => expect(make('other', 12)).rejects.toThrow(refusal));
  });
  afterAll(async () => {
    stop.abort();
    await person?.close();
    await controller?.close();
  });

  const target = (name: string) => ({ namespace: 'default', name });
  const make = (name: string, size: number, metadata: object = {}) => {
    const object = { apiVersion: resource.apiVersion, kind: resource.kind, metadata: { ...target(name), ...metadata } };
    return person.create(resource, { ...object, spec: { size } }, { fieldManager: 'a-person' });
  };
  const patch = (metadata: object) =>
    person.patch(resource, target('large'), { type: 'merge', body: { metadata } }, { fieldManager: 'a-person' });
  const writer = () => ({ cluster: controller, resource, manager: 'cache', signal: stop.signal });

  it('refuse what people change about it, and what comes to be so', async () => {
    await expect(patch({ labels: { a: 'b' } })).rejects.toThrow(refusal);
    await expect(make('other', 12, { deletionTimestamp: '2026-01-02T03:04:05Z' })).rejects.toThrow(refusal);
  });

  it('refuse what is applied as if it were being deleted', async () => {
    const metadata = {
      ...target('sly'),
      deletionTimestamp: '2026-01-02T03:04:05Z',
      finalizers: [finalizerOf(resource)],
    };
    const object = { apiVersion: resource.apiVersion, kind: resource.kind, metadata, spec: { size: 12 } };
    const applied = person.apply(resource, object, { fieldManager: 'a-person', force: true });
    await expect(applied).rejects.toThrow(refusal);
  });

  it('are not asked by the subresource of scaling, which the schema alone judges', async () => {
    await make('scaled', 3);
    const more = { type: 'merge', body: { spec: { replicas: 12 } } } as const;
    await person.patch(resource, target('scaled'), more, { fieldManager: 'a-person', subresource: 'scale' });
    expect(await person.get(resource, target('scaled'))).toMatchObject({ spec: { size: 12 } });
  });

  it('are for the namespaces that the install watches', async () => {
    await expect(make('other', 12, { namespace: 'kube-public' })).resolves.toMatchObject({ spec: { size: 12 } });
  });

  it('let the controller set its finalizer', async () => {
    const changed = await addFinalizer(await person.get(resource, target('large')), writer());
    expect(changed.metadata.finalizers).toEqual([finalizerOf(resource)]);
  });

  it('keep it from nobody who lets go of it when it is deleted', async () => {
    await expect(patch({ finalizers: null })).rejects.toThrow(refusal);
    await person.delete(resource, target('large'));
    const { metadata } = await patch({ labels: { released: 'yes' } });
    expect(metadata).toMatchObject({ deletionTimestamp: expect.any(String), labels: { released: 'yes' } });
    const other = { type: 'merge', body: { spec: { size: 13 } } } as const;
    await expect(person.patch(resource, target('large'), other, { fieldManager: 'a-person' })).rejects.toThrow(refusal);
    await removeFinalizer(await person.get(resource, target('large')), writer());
    await expect(person.get(resource, target('large'))).rejects.toThrow('not found');
  });
});
