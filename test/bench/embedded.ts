import { execFileSync, spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { Cluster } from '../../src/client/cluster.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { startControlPlane } from '../cluster/control-plane.js';
import { packageRoot } from '../cluster/package-root.js';
import { inParallel } from './api.js';
import type { Ready } from './embedded-side.js';

/** What was measured of an API server, round by round. */
export interface ServerCosts {
  readonly server: string;
  /** From the start of its process to the first answer. */
  readonly readyMilliseconds: readonly number[];
  /** From when a process that has loaded it asks for it. Absent for one that cannot be had otherwise than as a process. */
  readonly startedMilliseconds: readonly number[];
  readonly appliesPerSecond: readonly number[];
  /** All of `listed` objects at once. */
  readonly listMilliseconds: readonly number[];
  /** From the first of `watchedChanges` until the last of `watchers` has heard of all of them. */
  readonly watchMilliseconds: readonly number[];
}

export interface EmbeddedSize {
  readonly applies: number;
  readonly listed: number;
  readonly watchers: number;
  readonly watchedChanges: number;
  readonly rounds: number;
}

const configMaps = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const deployments = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
/** As `npm start` has it: in one file, which Node loads sooner than hundreds. */
const side = join(packageRoot, 'build/bench/embedded-side.mjs');
const namespace = 'default';

/** The embedded API server, in this process and over HTTP, beside the real one: the same client, and turns within a round. */
export async function embeddedCosts(size: EmbeddedSize, progress: (line: string) => void): Promise<ServerCosts[]> {
  await bundleSide();
  const sides: { readonly server: string; start(): Promise<Started> }[] = [
    { server: 'embedded, in process', start: inProcess },
    { server: 'embedded, over HTTPS', start: overHttp },
    { server: 'kube-apiserver and etcd', start: real },
  ];
  const costs = sides.map(({ server }) => ({
    server,
    readyMilliseconds: [] as number[],
    startedMilliseconds: [] as number[],
    appliesPerSecond: [] as number[],
    listMilliseconds: [] as number[],
    watchMilliseconds: [] as number[],
  }));
  for (let round = 0; round < size.rounds; round++) {
    for (const [index, { server, start }] of sides.entries()) {
      progress(`${server}, round ${round + 1} of ${size.rounds}`);
      const started = await start();
      try {
        const own = costs[index]!;
        own.readyMilliseconds.push(started.ready.sinceProcess);
        if (started.ready.sinceAsked !== undefined) own.startedMilliseconds.push(started.ready.sinceAsked);
        own.appliesPerSecond.push(await applies(started.cluster, size.applies));
        own.listMilliseconds.push(await lists(started.cluster, size.listed));
        own.watchMilliseconds.push(await watches(started.cluster, size));
      } finally {
        await started.stop();
      }
    }
  }
  return costs;
}

async function bundleSide(): Promise<void> {
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [join(packageRoot, 'test/bench/embedded-side.ts')],
    outfile: side,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js },
    logLevel: 'warning',
  });
}

/** What an author writes who has installed the package: the built one, which `npm run bench` makes anew. */
const authored = `
  import { startCluster } from 'kilter/testing';
  const asked = performance.now();
  const cluster = await startCluster();
  await cluster.server.cluster().list(${JSON.stringify(configMaps)});
  const now = performance.now();
  process.stdout.write(JSON.stringify({ sinceProcess: now, sinceAsked: now - asked }));
  await cluster.stop();
`;

function readyOf(program: readonly string[]): Ready {
  return JSON.parse(execFileSync(process.execPath, program, { cwd: packageRoot, encoding: 'utf8' })) as Ready;
}

interface Started {
  readonly ready: Pick<Ready, 'sinceProcess'> & Partial<Ready>;
  readonly cluster: Cluster;
  stop(): Promise<void>;
}

async function inProcess(): Promise<Started> {
  const ready = readyOf(['--input-type=module', '--eval', authored]);
  const server = new EmbeddedServer({ controllers: false });
  return { ready, cluster: server.cluster(), stop: async () => server.stop() };
}

async function overHttp(): Promise<Started> {
  const ready = readyOf([side, 'ready-http']);
  const child = spawn(process.execPath, [side, 'serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const cluster = clientOf(line.replaceAll('\\n', '\n'));
  return {
    ready,
    cluster,
    async stop() {
      await cluster.close();
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

async function real(): Promise<Started> {
  const began = performance.now();
  const plane = await startControlPlane();
  const ready = { sinceProcess: performance.now() - began };
  const { url: server, ca, adminToken } = plane;
  const cluster = connectTo(server, ca, adminToken);
  return {
    ready,
    cluster,
    async stop() {
      await cluster.close();
      await plane.stop();
    },
  };
}

function clientOf(kubeconfig: string): HttpCluster {
  const { clusters, users } = JSON.parse(kubeconfig) as {
    readonly clusters: readonly [
      { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
    ];
    readonly users: readonly [{ readonly user: { readonly token: string } }];
  };
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  return connectTo(server, Buffer.from(ca, 'base64').toString(), users[0].user.token);
}

function connectTo(server: string, ca: string, token: string): HttpCluster {
  const tls = { ca };
  return connect({ server, namespace, tls: async () => tls, authorization: async () => `Bearer ${token}` });
}

/** Deployments applied anew, sixteen at a time: how many a second, of a server that has been at it for as many. */
async function applies(cluster: Cluster, count: number): Promise<number> {
  const applyAll = (prefix: string) =>
    inParallel(count, 16, (index) =>
      cluster.apply(deployments, deploymentOf(`${prefix}-${index}`), { fieldManager: 'bench', force: true }),
    );
  await applyAll('before');
  const start = performance.now();
  await applyAll('applied');
  return (count / (performance.now() - start)) * 1000;
}

async function lists(cluster: Cluster, count: number): Promise<number> {
  await inParallel(count, 32, (index) =>
    cluster.create(configMaps, configMapOf(`listed-${index}`), { fieldManager: 'bench' }),
  );
  const start = performance.now();
  const { items } = await cluster.list(configMaps, { namespace, labelSelector: 'part-of=bench' });
  if (items.length !== count) throw new Error(`${items.length} of ${count} objects were listed`);
  return performance.now() - start;
}

async function watches(cluster: Cluster, { watchers, watchedChanges }: EmbeddedSize): Promise<number> {
  const stop = new AbortController();
  // Each watch is a listener, and Node takes more than ten for a leak.
  setMaxListeners(0, stop.signal);
  const { resourceVersion } = await cluster.list(configMaps, { namespace, limit: 1 });
  const follow = async (): Promise<void> => {
    let heard = 0;
    for await (const event of cluster.watch(configMaps, { namespace, resourceVersion, signal: stop.signal })) {
      if (event.type === 'ADDED' && ++heard === watchedChanges) return;
    }
  };
  const following = Array.from({ length: watchers }, follow);
  const start = performance.now();
  await inParallel(watchedChanges, 16, (index) =>
    cluster.create(configMaps, configMapOf(`watched-${index}`), { fieldManager: 'bench' }),
  );
  await Promise.all(following);
  stop.abort();
  return performance.now() - start;
}

function configMapOf(name: string): Manifest {
  const data = { 'memcached.conf': '-m 64\n-c 1024\n-v\n', mode: 'on' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels: { 'part-of': 'bench' } }, data };
}

function deploymentOf(name: string): Manifest {
  const labels = { 'app.kubernetes.io/name': name };
  const containers = [{ name: 'memcached', image: 'memcached:1.6-alpine', ports: [{ containerPort: 11211 }] }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}
