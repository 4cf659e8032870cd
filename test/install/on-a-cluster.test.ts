import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { waveIn } from '../../src/gitops/argo.js';
import { render } from '../../src/gitops/render.js';
import { writeFiles } from '../../src/gitops/write-files.js';
import { OperatorInstall } from '../../src/install/operator-install.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { anOperator, configMaps, deployments, nodes, pods } from './an-operator.js';
import { aggregated, podOf, rightsOf } from './observed.js';
import { readManifests } from './read-manifests.js';

const image = 'operator:1.2.3';
const cache = anOperator({ owns: [deployments], reads: [pods, nodes], scale: true });
const tenant = anOperator({ kind: 'Tenant', owns: [configMaps] });

/** Two installs: one for the whole cluster with metrics, one for two namespaces without. */
function renderInstalls(directory: string): void {
  const app = new App();
  new OperatorInstall(app, 'wide', { operators: [cache], image, metrics: true, replicas: 2 });
  const watchNamespaces = ['team-a', 'team-b'];
  new OperatorInstall(app, 'narrow', { operators: [tenant], image, watchNamespaces, metrics: false });
  writeFiles(directory, render(app));
}

onRealCluster('an install on a real API server', { controllerManager: true }, (plane) => {
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kilter-install-'));
    renderInstalls(directory);
    for (const namespace of ['team-a', 'team-b', 'team-c']) await plane().kubectl(['create', 'namespace', namespace]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is accepted wave by wave, with strict validation', async () => {
    const manifests = [...readManifests(directory)].sort((a, b) => waveIn(a) - waveIn(b));
    for (const wave of new Set(manifests.map(waveIn))) {
      const stdin = JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: manifests.filter((each) => waveIn(each) === wave),
      });
      await plane().kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], { stdin });
    }
    expect(manifests.length).toBeGreaterThan(20);
  });

  it.each([
    ['as a kustomization, client-side', ['apply', '-k']],
    ['as a kustomization, server-side', ['apply', '--server-side', '--force-conflicts', '-k']],
    ['as a folder', ['apply', '--server-side', '--force-conflicts', '-R', '-f']],
  ])('is accepted %s', async (_, args) => {
    const { stdout } = await plane().kubectl([...args, directory, '--validate=strict']);
    expect(stdout.trim().split('\n')).toHaveLength(readManifests(directory).length);
  });

  it('changes nothing when it is applied again', async () => {
    const args = ['diff', '--server-side', '--force-conflicts', '-k', directory];
    // While it is looked at, the cluster may say something of the status of what was applied.
    await eventually(async () => {
      const { exitCode, stdout } = await plane().kubectl(args, { allowFailure: true });
      expect(stdout).toBe('');
      expect(exitCode).toBe(0);
    }, 40);
  });

  it.each(['wide', 'narrow'])('has pods that Pod Security admits: %s', async (name) => {
    const stdin = JSON.stringify(await podOf(plane(), `${name}-system`, name));
    const { stderr, stdout } = await plane().kubectl(['create', '--dry-run=server', '-f', '-'], { stdin });
    expect(stdout).toContain('created (server dry run)');
    expect(stderr).toBe('');
  });

  it('lives where Pod Security refuses a pod that is not so careful', async () => {
    const careless = await podOf(plane(), 'wide-system', 'wide');
    careless.spec.containers[0]!.securityContext.allowPrivilegeEscalation = true;
    const stdin = JSON.stringify(careless);
    const { exitCode, stderr } = await plane().kubectl(['create', '--dry-run=server', '-f', '-'], {
      stdin,
      allowFailure: true,
    });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('violates PodSecurity "restricted:latest"');
  });

  describe('the rights of its account', () => {
    const everywhere = [
      '/nodes: list,watch',
      '/pods: list,watch',
      'apps/deployments: create,delete,list,patch,watch',
      'authentication.k8s.io/tokenreviews: create',
      'authorization.k8s.io/subjectaccessreviews: create',
      'cache.example.com/memcacheds/finalizers: update',
      'cache.example.com/memcacheds/status: patch',
      'cache.example.com/memcacheds: get,list,watch',
      'events.k8s.io/events: create,patch',
    ];
    const inTeams = [
      '/configmaps: create,delete,list,patch,watch',
      'cache.example.com/tenants/finalizers: update',
      'cache.example.com/tenants/status: patch',
      'cache.example.com/tenants: get,list,watch',
      'events.k8s.io/events: create,patch',
    ];
    const lease = (name: string) => [
      'coordination.k8s.io/leases: create',
      `coordination.k8s.io/leases[${name}]: get,update,watch`,
    ];

    it.each([
      ['wide', 'team-a', everywhere],
      ['wide', 'wide-system', [...everywhere, ...lease('wide')]],
      ['narrow', 'team-a', inTeams],
      ['narrow', 'team-b', inTeams],
      ['narrow', 'team-c', []],
      ['narrow', 'narrow-system', lease('narrow')],
    ])('of %s in the namespace %s are all that it needs and no more', async (name, namespace, rights) => {
      expect(await rightsOf(plane(), `system:serviceaccount:${name}-system:${name}`, namespace)).toEqual(
        [...rights].sort(),
      );
    });

    it.each([
      ['get', 'secrets'],
      ['list', 'secrets'],
      ['create', 'pods'],
      ['update', 'deployments.apps'],
      ['create', 'memcacheds.cache.example.com'],
      ['delete', 'memcacheds.cache.example.com'],
      ['patch', 'memcacheds.cache.example.com'],
      ['create', 'clusterrolebindings.rbac.authorization.k8s.io'],
      ['escalate', 'clusterroles.rbac.authorization.k8s.io'],
      ['impersonate', 'users'],
      ['patch', 'customresourcedefinitions.apiextensions.k8s.io'],
      ['*', '*'],
    ])('do not let it %s %s', async (verb, resource) => {
      const { stdout } = await plane().kubectl(
        ['auth', 'can-i', verb, resource, '--as=system:serviceaccount:wide-system:wide', '-n', 'team-a'],
        { allowFailure: true },
      );
      expect(stdout.trim()).toBe('no');
    });
  });

  it.each([
    ['view', ['get', 'list', 'watch']],
    ['edit', ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']],
    ['admin', ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']],
  ])('adds its custom resources to the role %s of Kubernetes', async (role, verbs) => {
    const ofScale = role === 'view' ? ['get'] : ['get', 'patch', 'update'];
    await eventually(async () => {
      expect(await aggregated(plane(), role, 'memcacheds')).toEqual(verbs);
      expect(await aggregated(plane(), role, 'memcacheds/scale')).toEqual(ofScale);
    });
  });
});
