import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Manifest } from '../../src/kube/manifest.js';
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.js';
import { applyInWaves, operatorDeployment, readDist, serviceAccountOf } from '../cluster/dist.js';
import { packageRoot } from '../cluster/package-root.js';
import { type Api, apiOf } from './api.js';
import { argumentsOf, cpuMilliseconds, pidByArgument } from './processes.js';
import { type Requests, requestsIn, watchesIn } from './server-metrics.js';

/** Where everything happens that is measured. */
export const benchNamespace = 'bench';

/** A custom kind that is raced on. */
export interface Track {
  readonly apiVersion: string;
  readonly path: string;
}

const trackOf = (apiVersion: string): Track => ({
  apiVersion,
  path: `/apis/${apiVersion}/namespaces/${benchNamespace}/memcacheds`,
});
/** kilter's kind, with the CRD and the RBAC that it renders. */
export const kilterTrack = trackOf('memcached.cache.example.com/v1');
/** The peers' kind, whose status has fewer fields. */
export const peerTrack = trackOf('cache.example.com/v1');

export const deploymentsPath = `/apis/apps/v1/namespaces/${benchNamespace}/deployments`;
export const servicesPath = `/api/v1/namespaces/${benchNamespace}/services`;
const raced = [kilterTrack.path, peerTrack.path, deploymentsPath, servicesPath];

/** A control plane of the bench's own, with both custom kinds and an account for each. */
export interface BenchPlane {
  readonly plane: ControlPlane;
  /** As an administrator. */
  readonly admin: Api;
  /** The kubeconfig of the account that works on a track. */
  kubeconfig(track: Track): string;
  /** The folder that a Pod of kilter's account would find its credentials in. */
  readonly podFolder: string;
  /** CPU milliseconds so far. */
  cpu(): { readonly api: number; readonly etcd: number };
  /** Requests so far for what operators work on, watches left out. */
  requests(): Promise<Requests>;
  /** True while somebody beside the observer of the bench watches the custom resources, Deployments and Services. */
  hasOperator(): Promise<boolean>;
  /** Deletes all custom resources and children. */
  clear(): Promise<void>;
  /** True when no custom resources and no children are left. */
  isEmpty(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts a fresh control plane, and installs what operators need to work on it. */
export async function startBenchPlane(progress: (line: string) => void): Promise<BenchPlane> {
  // Without it, what is quiet for 90 seconds costs kilter a list: docs/decisions/0046-a-quiet-kind-is-asked.md
  const plane = await startControlPlane({ progress, etcdTellsProgress: true });
  const admin = apiOf(plane.url, plane.ca, plane.adminToken);
  const rendered = readDist().filter(({ isSample }) => !isSample);
  await applyInWaves(
    plane,
    rendered.filter(({ manifest }) => manifest.kind !== 'Deployment'),
  );
  const crd = parse(readFileSync(join(packageRoot, 'test/bench/peers/crd.yaml'), 'utf8')) as Manifest;
  await applyInWaves(
    plane,
    [crd, ...peerAccount].map((manifest, wave) => ({ manifest, wave, isSample: false, folder: 'peers' })),
  );
  for (const { path } of [kilterTrack, peerTrack]) await untilServed(admin, path);
  const account = serviceAccountOf(operatorDeployment(rendered));
  const kubeconfigs = new Map([
    [kilterTrack, await plane.serviceAccountKubeconfig(account.namespace, account.name)],
    [peerTrack, await plane.serviceAccountKubeconfig(benchNamespace, 'peer')],
  ]);
  const podFolder = mkdtempSync(join(tmpdir(), 'kilter-bench-pod-'));
  writeFileSync(join(podFolder, 'token'), await plane.serviceAccountToken(account.namespace, account.name));
  writeFileSync(join(podFolder, 'ca.crt'), plane.ca);
  writeFileSync(join(podFolder, 'namespace'), account.namespace);
  const api = pidByArgument(`--secure-port=${new URL(plane.url).port}`);
  const etcdUrl = argumentsOf(api)
    .find((argument) => argument.startsWith('--etcd-servers='))!
    .replace('--etcd-servers=', '');
  const etcd = pidByArgument(`--listen-client-urls=${etcdUrl}`);
  const ofTheServer = watchesIn(await admin.text('/metrics'));
  return {
    plane,
    admin,
    kubeconfig: (track) => kubeconfigs.get(track)!,
    podFolder,
    cpu: () => ({ api: cpuMilliseconds(api), etcd: cpuMilliseconds(etcd) }),
    requests: async () => requestsIn(await admin.text('/metrics')),
    hasOperator: async () =>
      watchesIn(await admin.text('/metrics')).every((count, index) => count >= ofTheServer[index]! + 2),
    async clear() {
      for (const path of raced) await admin.ask('DELETE', path);
    },
    async isEmpty() {
      for (const path of raced) {
        const { items } = (await admin.ask('GET', `${path}?limit=1`)) as { readonly items: readonly unknown[] };
        if (items.length > 0) return false;
      }
      return true;
    },
    async stop() {
      await admin.close();
      await plane.stop();
      rmSync(podFolder, { recursive: true });
    },
  };
}

/** A kind that was just established answers 404, then 429, until its storage is ready. */
async function untilServed(admin: Api, path: string): Promise<void> {
  for (;;) {
    const { kind } = (await admin.ask('GET', path, { allow: [404, 429] })) as { readonly kind: string };
    if (kind !== 'Status') return;
    await sleep(100);
  }
}

/** What kilter's rendered account may do, for the peers' kind; and what kopf reads of namespaces and kinds. */
const peerAccount: readonly Manifest[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: benchNamespace } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'peer', namespace: benchNamespace } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'bench-peer' },
    rules: [
      {
        apiGroups: ['cache.example.com'],
        resources: ['memcacheds', 'memcacheds/status', 'memcacheds/finalizers'],
        verbs: ['get', 'list', 'watch', 'update', 'patch'],
      },
      {
        apiGroups: ['', 'apps'],
        resources: ['services', 'deployments'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
      { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      {
        apiGroups: ['', 'apiextensions.k8s.io'],
        resources: ['namespaces', 'customresourcedefinitions'],
        verbs: ['get', 'list', 'watch'],
      },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'bench-peer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'bench-peer' },
    subjects: [{ kind: 'ServiceAccount', name: 'peer', namespace: benchNamespace }],
  },
];
