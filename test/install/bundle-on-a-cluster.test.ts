import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { parseExposition, sampleOf } from '../runtime/telemetry/metrics/exposition.js';
import { untilReadsMetrics } from './observed.js';
import { readManifests } from './read-manifests.js';
import { scrape } from './scrape.js';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
/** Not the folder of the script, which another suite may be writing. */
const bundle = join(root, 'build/bundle-on-a-cluster');

/** What the Deployment runs, with the rights of its account, from the bundle that the image holds. */
onRealCluster('the bundle in the rendered install', { audit: true }, (plane) => {
  const deployment = readManifests(dist).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'memcached-operator',
  )!;
  const { serviceAccountName, containers } = (
    deployment['spec'] as { template: { spec: { serviceAccountName: string; containers: [{ args: string[] }] } } }
  ).template.spec;
  const namespace = deployment.metadata.namespace!;
  const user = `system:serviceaccount:${namespace}:${serviceAccountName}`;
  let controller: ChildProcess;
  let output = '';

  beforeAll(async () => {
    await promisify(execFile)('npm', ['run', 'bundle', '--', `--outdir=${bundle}`], { cwd: root });
    await plane().kubectl(['apply', '--server-side', '-k', dist]);
    const kubeconfig = await plane().serviceAccountKubeconfig(namespace, serviceAccountName);
    // Ports may be taken on this machine, and the kubeconfig stands for the files of a pod.
    const addresses = ['--health-probe-bind-address=127.0.0.1:0', '--metrics-bind-address=127.0.0.1:0'];
    const args = [...containers[0].args, ...addresses, `--kubeconfig=${kubeconfig}`];
    controller = spawn(process.execPath, [join(bundle, 'controller.mjs'), ...args], {
      env: {
        PATH: process.env['PATH'],
        POD_NAME: 'one',
        POD_NAMESPACE: namespace,
        NODE_OPTIONS: '--max-old-space-size=192 --max-semi-space-size=16',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    controller.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    controller.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  });
  afterAll(async () => {
    rmSync(bundle, { recursive: true, force: true });
    if (controller.exitCode !== null) return;
    controller.kill('SIGKILL');
    await once(controller, 'exit');
  });

  it('reconciles the sample', async () => {
    await plane().kubectl(['apply', '--server-side', '-k', join(dist, 'samples')]);
    await eventually(async () => {
      const { stdout } = await plane().kubectl(['get', 'deployments,services', '-o', 'name']);
      const children = stdout.split('\n').filter((name) => name.includes('memcached-sample'));
      expect({ children, output }).toMatchObject({ children: [expect.anything(), expect.anything()] });
    });
  });

  /** What the controller said it serves there. */
  const served = (msg: string) => {
    const lines = output.split('\n').filter((line) => line.includes(`"msg":"${msg}"`));
    return (JSON.parse(lines[0] ?? '{}') as { address?: string }).address;
  };

  it('is ready, and alive', async () => {
    for (const path of ['/readyz', '/healthz', '/readyz/watches']) {
      const response = await fetch(`http://${served('Serving probes')}${path}`);
      expect([path, response.status, await response.text()]).toEqual([path, 200, 'ok']);
    }
  });

  it('shows its metrics to the account that is bound to the rendered role, and to no other', async () => {
    await plane().kubectl(['create', 'namespace', 'monitoring']);
    const [reader, stranger] = await Promise.all(
      ['prometheus', 'stranger'].map((account) => plane().serviceAccountToken('monitoring', account)),
    );
    await plane().kubectl([
      'create',
      'clusterrolebinding',
      'prometheus-reads-metrics',
      '--clusterrole=memcached-operator-metrics-reader',
      '--serviceaccount=monitoring:prometheus',
    ]);
    await untilReadsMetrics(plane(), 'system:serviceaccount:monitoring:prometheus');
    const url = `https://${served('Serving metrics')}/metrics`;
    const scraped = await scrape(url, reader);
    expect([(await scrape(url)).code, (await scrape(url, stranger)).code, scraped.code]).toEqual([401, 403, 200]);
    const told = parseExposition(scraped.text);
    expect(sampleOf(told, 'leader_election_master_status', { name: 'memcached-operator' })).toBe(1);
    expect(sampleOf(told, 'kilter_inventory_objects', { controller: 'memcached', kind: 'Deployment' })).toBe(1);
    const created = { controller: 'memcached', kind: 'Service', action: 'created' };
    expect(sampleOf(told, 'kilter_apply_total', created)).toBe(1);
    const host = new URL(plane().url).host;
    // Two reviews for each of two accounts, and the Lease, whatever children take.
    expect(sampleOf(told, 'rest_client_requests_total', { code: '201', method: 'POST', host })).toBeGreaterThanOrEqual(
      5,
    );
    expect(scraped.text).not.toContain('memcached-sample');
  });

  it('ends when it is asked to, and gives its Lease back', async () => {
    controller.kill('SIGTERM');
    const [code] = (await once(controller, 'exit')) as [number];
    const { stdout } = await plane().kubectl([
      'get',
      'lease',
      'memcached-operator',
      '-n',
      namespace,
      '-o',
      'jsonpath={.spec.holderIdentity}',
    ]);
    expect({ code, holder: stdout }).toEqual({ code: 0, holder: '' });
  });

  it('asked for nothing that it may not do', async () => {
    const own = (await plane().audit()).filter((event) => event.user.username === user);
    const verbs = [...new Set(own.map(({ verb }) => verb))].sort();
    expect(verbs).toEqual(expect.arrayContaining(['create', 'get', 'patch', 'update', 'watch']));
    expect(own.filter(({ objectRef }) => objectRef?.resource === 'subjectaccessreviews').length).toBe(2);
    const refused = own.filter(({ responseStatus }) => responseStatus?.code === 403);
    expect(refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  });
});
