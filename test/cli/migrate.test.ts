import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { connect } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { eventually } from '../cluster/eventually.js';
import { FaultProxy } from '../cluster/fault-proxy.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { refusal } from '../cluster/proxy-rules.js';
import { untilServed } from '../cluster/until-served.js';
import { runKilter } from './run-kilter.js';

const name = 'gadgets.migrate.kilter.dev';
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
};
const definition = (stored: string, served = ['v1', 'v1beta1']) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: {
    group: 'migrate.kilter.dev',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: ['v1', 'v1beta1'].map((version) => ({
      name: version,
      served: served.includes(version),
      storage: version === stored,
      schema,
    })),
  },
});
const gadget = (called: string, version: string) => ({
  apiVersion: `migrate.kilter.dev/${version}`,
  kind: 'Gadget',
  metadata: { name: called, namespace: 'default' },
  spec: { size: 9_007_199_254_740_991 },
});

onRealCluster('kilter migrate', {}, (plane) => {
  const kilter = (...args: string[]) => runKilter([...args, '--kubeconfig', plane().kubeconfig]);
  const apply = (object: object) => plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(object) });
  const get = async (...what: string[]) =>
    JSON.parse((await plane().kubectl(['get', ...what, '-o', 'json'])).stdout) as KubeObject & {
      readonly items: readonly KubeObject[];
      readonly status: { readonly storedVersions: readonly string[] };
    };
  const storedVersions = async () => (await get('crd', name)).status.storedVersions;

  beforeAll(async () => {
    await apply(definition('v1beta1'));
    await untilServed(plane(), name);
  });
  beforeEach(async () => {
    await plane().kubectl(['delete', 'gadgets', '--all']);
    await apply(definition('v1beta1'));
    for (const called of ['a', 'b']) await apply(gadget(called, 'v1beta1'));
    await apply(definition('v1'));
  });

  it('has every object stored in the present version, and nothing else of it changed', async () => {
    expect(await storedVersions()).toEqual(['v1beta1', 'v1']);
    const before = await get('gadgets');
    expect(await kilter('migrate', 'gadget')).toMatchObject({
      exitCode: 0,
      stdout: `CustomResourceDefinition/${name} has nothing stored but v1 now: 2 objects were looked at, of which some were stored as v1beta1\n`,
    });
    expect(await storedVersions()).toEqual(['v1']);
    const after = await get('gadgets');
    const content = ({ items }: typeof before) =>
      items.map(({ metadata: { resourceVersion: _, managedFields: __, ...metadata }, ...rest }) => ({
        ...rest,
        metadata,
      }));
    expect(content(after)).toEqual(content(before));
    const versions = ({ items }: typeof before) => items.map(({ metadata }) => metadata.resourceVersion);
    expect(versions(after)).not.toContain(versions(before)[0]);
    expect(versions(after)).not.toContain(versions(before)[1]);
  });

  it('leaves it told by which version somebody wrote, until nobody can any more', async () => {
    const writers = async () =>
      (await get('gadgets', '--show-managed-fields')).items.flatMap(({ metadata: { managedFields = [] } }) =>
        managedFields.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`),
      );
    const writtenBy = (version: string) => Array(2).fill(`kubectl-client-side-apply migrate.kilter.dev/${version}`);
    await kilter('migrate', 'gadget');
    expect(await writers()).toEqual(writtenBy('v1beta1'));
    await apply(definition('v1', ['v1']));
    await eventually(async () => {
      expect((await kilter('migrate', 'gadget')).stdout).toBe(
        `CustomResourceDefinition/${name} has nothing stored but v1; of 2 of its objects another version told who wrote what, and v1 does now\n`,
      );
    });
    expect(await writers()).toEqual(writtenBy('v1'));
    // Then the older version may go, which would have kept everybody from applying.
    const { spec, ...rest } = definition('v1');
    await apply({ ...rest, spec: { ...spec, versions: spec.versions.slice(0, 1) } });
    await eventually(async () => {
      const options = ['apply', '--server-side', '--field-manager=kubectl-client-side-apply', '-f', '-'];
      await plane().kubectl(options, { stdin: JSON.stringify(gadget('a', 'v1')) });
    });
    expect((await get('gadgets')).items).toHaveLength(2);
  });

  it('has nothing to do the second time', async () => {
    await kilter('migrate', name);
    expect(await kilter('migrate', name)).toMatchObject({
      exitCode: 0,
      stdout: `CustomResourceDefinition/${name} has nothing stored but v1\n`,
    });
  });

  it('does so by another version where the present one is not served', async () => {
    await apply(definition('v1', ['v1beta1']));
    await eventually(async () => {
      expect(await kilter('migrate', name)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('2 objects'),
      });
    });
    expect(await storedVersions()).toEqual(['v1']);
  });

  it('goes on with the others where the server refuses one as it is, and names that', async () => {
    const proxy = await FaultProxy.start(plane());
    const folder = mkdtempSync(join(tmpdir(), 'kilter-migrate-'));
    const kubeconfig = join(folder, 'kubeconfig');
    try {
      writeFileSync(kubeconfig, proxy.kubeconfig(plane().adminToken));
      const always = Number.POSITIVE_INFINITY;
      proxy.on({ method: 'PATCH', path: '/gadgets/b', times: always }, refusal(422, 'Invalid'));
      expect(await runKilter(['migrate', 'gadget', '--kubeconfig', kubeconfig])).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/1 of 2 objects were refused .* all others stored as v1: Gadget\/default\/b: /),
      });
      expect(proxy.seen({ method: 'PATCH', path: '/gadgets/a' }).map(({ code }) => code)).toEqual([200]);
      expect(await storedVersions()).toContain('v1beta1');
    } finally {
      await proxy.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('waits until the API server stores in the version that the definition was changed to', async () => {
    const proxy = await FaultProxy.start(plane());
    const folder = mkdtempSync(join(tmpdir(), 'kilter-migrate-'));
    const kubeconfig = join(folder, 'kubeconfig');
    try {
      writeFileSync(kubeconfig, proxy.kubeconfig(plane().adminToken));
      const bytes = (chunk: Buffer) =>
        Buffer.from(chunk.toString().replace(/("storageVersionHash":")....../, (_, name: string) => `${name}before`));
      const told = { method: 'GET', path: '/apis/migrate.kilter.dev/v1' };
      const late = 3;
      proxy.on({ ...told, times: late }, { type: 'rewrite', bytes });
      expect(await runKilter(['migrate', 'gadget', '--kubeconfig', kubeconfig])).toMatchObject({ exitCode: 0 });
      const [first] = proxy.seen({ method: 'PATCH', path: '/gadgets/' });
      const before = proxy.seen(told).filter(({ arrivedAt }) => arrivedAt < (first?.arrivedAt ?? 0));
      expect(before.filter(({ path }) => path === told.path).length).toBeGreaterThan(late);
    } finally {
      await proxy.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('says so when there is no such kind', async () => {
    expect(await kilter('migrate', 'nothing')).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('says so of a kind that no definition has', async () => {
    const { exitCode, stderr } = await kilter('migrate', 'deployments');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Deployment is no custom resource');
    expect(stderr).toContain('hint: ');
  });

  it('needs no list for longer than an API server keeps it', async () => {
    const proxy = await FaultProxy.start(plane());
    const folder = mkdtempSync(join(tmpdir(), 'kilter-migrate-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const cluster = connect(await kubeConfig({ path: plane().kubeconfig }));
    try {
      writeFileSync(kubeconfig, proxy.kubeconfig(plane().adminToken));
      const resource = { apiVersion: 'migrate.kilter.dev/v1', kind: 'Gadget', plural: 'gadgets', namespaced: true };
      const many = Array.from({ length: 501 }, (_, index) => gadget(`many-${index}`, 'v1'));
      await Promise.all(many.map((each) => cluster.create(resource, each, { fieldManager: 'test' })));
      const isLate = () => proxy.seen({ method: 'PATCH' }).length > 0;
      proxy.on({ path: 'continue=', when: isLate, times: Number.POSITIVE_INFINITY }, refusal(410, 'Expired'));
      expect(await runKilter(['migrate', 'gadget', '--kubeconfig', kubeconfig])).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('503 objects were looked at'),
      });
    } finally {
      await cluster.close();
      await proxy.close();
      rmSync(folder, { recursive: true });
    }
  });
});
