import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import { json, ScriptedServer } from './scripted-server.js';
import { SocksProxy } from './socks-proxy.js';

let server: ScriptedServer;
let proxy: SocksProxy;
beforeEach(async () => {
  server = await ScriptedServer.start();
  proxy = new SocksProxy(Number(new URL(server.url).port));
});
afterEach(async () => {
  await server.stop();
  await proxy.stop();
});

it('a client reaches its server by a proxy that speaks SOCKS', async () => {
  const hidden = { server: 'http://api.hidden.example.com:8080', proxyUrl: await proxy.start() };
  const cluster = connect({ ...server.config, ...hidden });
  const object = { metadata: { name: 'a', namespace: 'default' } };
  server.answers(json(object));
  await cluster.get(ConfigMap, { namespace: 'default', name: 'a' });
  expect([proxy.asked, server.requests.length]).toEqual([['api.hidden.example.com:8080'], 1]);
  await cluster.close();
});

it('a certificate that is none fails the call by which it was to be shown through a tunnel, and nothing else', async () => {
  const tls = { cert: 'none', key: 'none' };
  const hidden = { server: 'https://api.hidden.example.com:8080', proxyUrl: await proxy.start() };
  const cluster = connect({ ...server.config, ...hidden, tls: async () => tls }, { random: () => 0 });
  const target = { namespace: 'default', name: 'a' };
  await expect(cluster.get(ConfigMap, target, { timeoutSeconds: 2 })).rejects.toThrow('get failed: error:');
  await cluster.close();
});
