import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { eventually } from '../cluster/eventually.js';
import { FaultProxy } from '../cluster/fault-proxy.js';
import { freePorts } from '../cluster/free-ports.js';
import { kubeconfigOf } from '../cluster/kubeconfig.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Cache } from '../resource/a-kind-of-versions.js';
import { cacheIn, definitions, home, InstalledWebhooks } from './installed-webhooks.js';

const write = { fieldManager: 'a-person' };
const definition = { name: `${Cache.plural}.${Cache.group}` };

onRealCluster('a controller with webhooks, while it starts,', {}, (plane) => {
  let admin: HttpCluster;
  let installed: InstalledWebhooks;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    installed = await InstalledWebhooks.on(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterEach(async () => {
    await installed.endAll();
    for (const close of closing.splice(0)) await close();
  });
  afterAll(async () => {
    await installed?.remove();
    await admin?.close();
  });

  const reachedAt = (port: number, shown = port) => [
    `--webhook-port=${port}`,
    `--webhook-url=https://127.0.0.1:${shown}`,
  ];
  const kubeconfigBy = (text: string) => {
    const path = join(installed.folder, `kubeconfig-${closing.length}`);
    writeFileSync(path, text, { mode: 0o600 });
    return `--kubeconfig=${path}`;
  };
  const storeAs = async (version: string) => {
    const found = (await admin.get(definitions, definition)) as KubeObject & {
      readonly spec: { readonly versions: readonly { readonly name: string }[] };
    };
    const versions = found.spec.versions.map((each) => ({ ...each, storage: each.name === version }));
    const body = { spec: { versions } };
    await admin.patch(definitions, definition, { type: 'merge', body }, write);
  };
  /** As a Service: nobody is sent to a Pod that is not ready. */
  const service = async (port: number, readyz: string): Promise<number> => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      void fetch(readyz)
        .then(({ ok }) => ok)
        .catch(() => false)
        .then((isReady) => {
          if (!isReady) return socket.destroy();
          const onward = connectTcp(port, '127.0.0.1');
          sockets.add(onward.on('error', () => socket.destroy()));
          return socket.pipe(onward).pipe(socket);
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as { port: number }).port;
  };

  it('is ready before it has seen what only itself can convert', async () => {
    const [first = 0, port = 0, probes = 0] = await freePorts(3);
    await installed.start('before', reachedAt(first)).shows('Stores are filled');
    await storeAs('v1beta1');
    const { apiVersion, kind } = { ...cacheIn('v1beta1') };
    const old = { apiVersion, kind, metadata: { name: 'old', namespace: 'default' }, spec: { replicas: 3 } };
    await eventually(async () => {
      await admin.apply(cacheIn('v1beta1'), old, { ...write, force: true });
      // Stored so by now, too.
      const { status } = (await admin.get(definitions, definition)) as KubeObject & {
        readonly status: { readonly storedVersions: readonly string[] };
      };
      expect(status.storedVersions).toContain('v1beta1');
    });
    await installed.endAll();
    await storeAs('v1');

    const readyz = `http://127.0.0.1:${probes}/readyz`;
    const flags = reachedAt(port, await service(port, readyz));
    const program = installed.start('after', [...flags, `--health-probe-bind-address=127.0.0.1:${probes}`]);
    await program.shows(/"controller":"cache".*Stores are filled/);
    const { spec } = await admin.get(cacheIn('v1'), { namespace: 'default', name: 'old' });
    expect(spec).toMatchObject({ size: 3 });
  });

  it('keeps the Lease from nobody who can work, while its certificate is on its way', async () => {
    const proxy = await FaultProxy.start(plane());
    closing.push(() => proxy.close());
    const held = proxy.on({ method: 'GET', path: '/secrets/' }, { type: 'hold' });
    const [port = 0, other = 0] = await freePorts(2);
    const token = await plane().serviceAccountToken(home, 'cache');
    const program = installed.start('slow', [kubeconfigBy(proxy.kubeconfig(token)), ...reachedAt(port)]);
    await eventually(() => expect(proxy.seen({ method: 'GET', path: '/secrets/' })).not.toEqual([]), 40);
    const able = installed.start('able', reachedAt(other));
    // Who was killed in the test before may have had it: its time has to pass.
    await able.shows('Became leader', 0, 60);
    await able.shows('Stores are filled');
    expect(proxy.seen({ method: 'PUT', path: '/leases' })).toEqual([]);
    held.release();
    await program.shows('Stores are filled');
    await program.shows('Waiting to become leader');
  });

  it('waits for an API server that is away, and ends in good order when it is told to', async () => {
    const [nobody = 0] = await freePorts(1);
    const kubeconfig = kubeconfigOf({ url: `https://127.0.0.1:${nobody}`, ca: plane().ca, token: 'some' });
    const program = installed.start('away', [kubeconfigBy(kubeconfig), ...reachedAt((await freePorts(1))[0] ?? 0)]);
    // Once while it lasts, however often it is asked.
    await program.shows('Failed to ask for the certificate of webhooks');
    program.signal('SIGTERM', program.pid);
    expect(await program.exited).toBe(0);
    expect(program.output).not.toContain('Failed to start');
  });

  it('says why it cannot, and ends with 1', async () => {
    const program = installed.start('without', [
      '--webhook-cert-path=/nonexistent',
      `--webhook-port=${(await freePorts(1))[0]}`,
    ]);
    expect(await program.exited).toBe(1);
    expect(program.output).toMatch(/\/nonexistent.*Failed to start/);
    expect(program.output).not.toContain('Lost the Lease');
  });
});
