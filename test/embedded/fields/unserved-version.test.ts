import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const group = 'unserved.kilter.dev';
const names = { plural: 'lamps', kind: 'Lamp' };
const lamps = (version: string): ApiResource => ({ apiVersion: `${group}/${version}`, namespaced: true, ...names });
const text = { type: 'string' };
const spec = { type: 'object', properties: { color: text, shade: text, size: text, replicas: { type: 'integer' } } };
const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const subresources = { scale };
const versions = (isOldServed: boolean) => [
  { name: 'v1beta1', served: isOldServed, storage: false, schema, subresources },
  { name: 'v1', served: true, storage: true, schema, subresources },
];
const one = { namespace: 'default', name: 'one' };

onEveryCluster('a version that is no longer served', {}, (plane) => {
  let admin: HttpCluster;
  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => admin?.close());

  it('is still that in which a manager owns fields', async () => {
    const metadata = { name: `lamps.${group}` };
    const { apiVersion, kind } = definitions;
    const definition = { apiVersion, kind, metadata, spec: { group, names, scope: 'Namespaced' } };
    await admin.create(
      definitions,
      { ...definition, spec: { ...definition.spec, versions: versions(true) } },
      { fieldManager: 'tester' },
    );
    const apply = (version: string, manager: string, fields: object) =>
      admin.apply(
        lamps(version),
        { apiVersion: `${group}/${version}`, kind: names.kind, metadata: one, spec: fields },
        { fieldManager: manager, force: true },
      );
    await eventually(() => apply('v1beta1', 'old', { color: 'red', shade: 'paper', replicas: 1 }));
    await apply('v1', 'new', { size: 'big' });
    const body = { spec: { versions: versions(false) } };
    await admin.patch(definitions, metadata, { type: 'merge', body }, { fieldManager: 'tester' });
    await eventually(() => expect(admin.get(lamps('v1beta1'), one)).rejects.toThrow());

    const owners = async () => {
      const { metadata } = await admin.get(lamps('v1'), one);
      return metadata.managedFields?.map(({ manager, apiVersion, fieldsV1 }) => ({ manager, apiVersion, fieldsV1 }));
    };
    await apply('v1', 'new', { size: 'small', shade: 'glass' });
    const fields = (...said: string[]) => ({ 'f:spec': Object.fromEntries(said.map((name) => [`f:${name}`, {}])) });
    const old = { manager: 'old', apiVersion: `${group}/v1beta1`, fieldsV1: fields('color', 'replicas') };
    expect(await owners()).toEqual(
      expect.arrayContaining([old, { manager: 'new', apiVersion: `${group}/v1`, fieldsV1: fields('shade', 'size') }]),
    );
    const patch = { type: 'merge', body: { spec: { size: 'huge' } } } as const;
    await admin.patch(lamps('v1'), one, patch, { fieldManager: 'person' });
    expect(await owners()).toEqual(expect.arrayContaining([old]));

    const scaled = { type: 'merge', body: { spec: { replicas: 2 } } } as const;
    await admin.patch(lamps('v1'), one, scaled, { fieldManager: 'scaler', subresource: 'scale' });
    const scaler = { manager: 'scaler', apiVersion: `${group}/v1`, fieldsV1: fields('replicas') };
    expect(await owners()).toEqual(expect.arrayContaining([{ ...old, fieldsV1: fields('color') }, scaler]));
  });
});
