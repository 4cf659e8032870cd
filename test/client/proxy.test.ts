import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { TransportError } from '../../src/client/api-error.js';
import type { ClusterConfig } from '../../src/client/cluster-config.js';
import { environmentConfig } from '../../src/client/environment-config.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';

/** Nobody but the proxy knows where this is, so that whatever arrives came by the proxy. */
const hidden = 'api.hidden.example.com:6443';

/** A proxy as companies have it: it is asked for a tunnel, and sees nothing of what is in it. */
class TunnelProxy {
  /** Where tunnels were to lead. */
  readonly asked: string[] = [];
  /** What becomes of who asks for a tunnel. */
  mood: 'well' | 'refuses' | 'is silent' = 'well';
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer();

  constructor(behind: URL) {
    this.#server.on('connect', ({ url = '' }, socket: Socket) => {
      this.asked.push(url);
      if (this.mood === 'refuses') socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      if (this.mood !== 'well') {
        this.#sockets.add(socket.on('error', () => {}));
        return;
      }
      const onward = connectTcp(Number(behind.port), behind.hostname, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      for (const each of [socket, onward]) {
        this.#sockets.add(each);
        each.on('error', () => {});
        each.once('close', () => this.#sockets.delete(each));
      }
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get tunnels(): number {
    return this.#sockets.size / 2;
  }

  dropAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.dropAll();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A name that the certificate of the server is for. */
async function nameOf({ hostname: host, port }: URL, ca: string): Promise<string> {
  const socket = connectTls({ host, port: Number(port), ca });
  await once(socket, 'secureConnect');
  const { subjectaltname = '' } = socket.getPeerCertificate();
  socket.destroy();
  return /DNS:([^,]+)/.exec(subjectaltname)?.[1] ?? '';
}

onEveryCluster('a client behind a proxy', {}, (plane) => {
  let proxy: TunnelProxy;
  let config: ClusterConfig;
  let cluster: HttpCluster;
  const by = { fieldManager: 'test', force: true };
  const named = (name: string, data = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name },
    data,
  });

  beforeEach(async () => {
    const { url, ca, adminToken } = plane();
    proxy = new TunnelProxy(new URL(url));
    const tls = { ca, servername: await nameOf(new URL(url), ca) };
    config = {
      server: `https://${hidden}`,
      namespace: 'default',
      proxyUrl: await proxy.start(),
      tls: async () => tls,
      authorization: async () => `Bearer ${adminToken}`,
    };
    cluster = connect(config);
  });
  afterEach(async () => {
    await cluster.close();
    await proxy.stop();
  });

  it('reads, writes and watches by it, over tunnels that are used again', async () => {
    const over = new AbortController();
    const { resourceVersion } = await cluster.list(ConfigMap, { namespace: 'default' });
    const watched = (async () => {
      const options = { namespace: 'default', resourceVersion, signal: over.signal };
      for await (const event of cluster.watch(ConfigMap, options)) {
        if (event.type === 'ADDED') return event.object.metadata.name;
      }
      return undefined;
    })();
    for (let count = 0; count < 20; count++) await cluster.apply(ConfigMap, named('far', { count: `${count}` }), by);
    expect(await watched).toBe('far');
    await cluster.lease().get(ConfigMap, { namespace: 'default', name: 'far' });
    await cluster.delete(ConfigMap, { namespace: 'default', name: 'far' });
    over.abort();
    expect(new Set(proxy.asked)).toEqual(new Set([hidden]));
    // Far fewer than calls.
    expect(proxy.asked.length).toBeLessThan(10);
  });

  it('comes back when the proxy drops its tunnels', async () => {
    await cluster.apply(ConfigMap, named('kept'), by);
    proxy.dropAll();
    const before = proxy.asked.length;
    expect((await cluster.get(ConfigMap, { namespace: 'default', name: 'kept' })).metadata.name).toBe('kept');
    expect(proxy.asked.length).toBeGreaterThan(before);
  });

  it('goes on when the proxy opens tunnels again, of which one was never answered', async () => {
    await cluster.apply(ConfigMap, named('there'), by);
    const there = { namespace: 'default', name: 'there' };
    proxy.mood = 'is silent';
    const lease = cluster.lease();
    await expect(lease.get(ConfigMap, there, { timeoutSeconds: 1 })).rejects.toThrow('no answer within 1 s');
    proxy.mood = 'well';
    expect((await lease.get(ConfigMap, there)).metadata.name).toBe('there');
  });

  it('asks again for what can be asked again when the proxy refuses a tunnel, and says what failed otherwise', async () => {
    await cluster.apply(ConfigMap, named('there'), by);
    const there = { namespace: 'default', name: 'there' };
    const lease = cluster.lease();
    proxy.mood = 'refuses';
    const failed = lease.update(ConfigMap, named('there') as unknown as KubeObject, by);
    await expect(failed).rejects.toThrow(TransportError);
    await expect(failed).rejects.toThrow('ConfigMap/default/there update failed: Proxy response (503)');
    const asked = lease.get(ConfigMap, there);
    await eventually(() => expect(proxy.asked.length).toBeGreaterThan(3));
    proxy.mood = 'well';
    expect((await asked).metadata.name).toBe('there');
  });

  it('finds it in the environment, unless the kubeconfig names one', async () => {
    const user = { token: plane().adminToken };
    const path = join(mkdtempSync(join(tmpdir(), 'kilter-proxy-')), 'kubeconfig');
    const { ca, servername } = await config.tls();
    const data = Buffer.from(ca ?? '').toString('base64');
    const about = { server: `https://${hidden}`, 'certificate-authority-data': data, 'tls-server-name': servername };
    const kubeconfig = (more: object) => ({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { ...about, ...more } }],
      users: [{ name: 'a', user }],
    });
    for (const [inFile, inEnvironment] of [
      [{}, { HTTPS_PROXY: config.proxyUrl }],
      [{ 'proxy-url': config.proxyUrl }, { HTTPS_PROXY: 'http://nowhere.example.com' }],
    ] as const) {
      writeFileSync(path, JSON.stringify(kubeconfig(inFile)));
      const before = proxy.asked.length;
      const behind = connect(await environmentConfig({ KUBECONFIG: path, ...inEnvironment }));
      await behind.list(ConfigMap, { namespace: 'default' });
      await behind.close();
      expect(proxy.asked.slice(before)).toEqual([hidden]);
    }
    rmSync(dirname(path), { recursive: true });
  });

  it('goes nowhere else when the proxy is gone', async () => {
    await proxy.stop();
    const asked = cluster.get(ConfigMap, { namespace: 'default', name: 'kept' }, { timeoutSeconds: 2 });
    await expect(asked).rejects.toBeInstanceOf(TransportError);
    proxy = new TunnelProxy(new URL(plane().url));
    await proxy.start();
  });

  it('writes nothing more by it once it is fenced, and nothing is left in a tunnel', async () => {
    await cluster.apply(ConfigMap, named('fenced', { by: 'us' }), by);
    cluster.fence(new Error('the Lease is lost'));
    await expect(cluster.apply(ConfigMap, named('fenced', { by: 'us, late' }), by)).rejects.toThrow(
      'the Lease is lost',
    );
    const reader = connect(config);
    expect(await reader.get(ConfigMap, { namespace: 'default', name: 'fenced' })).toMatchObject({ data: { by: 'us' } });
    await reader.close();
  });
});
