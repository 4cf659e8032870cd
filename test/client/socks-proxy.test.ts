import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import { json, ScriptedServer } from './scripted-server.js';

/** A proxy that leads to one port, whatever it is asked for: https://datatracker.ietf.org/doc/html/rfc1928 */
class SocksProxy {
  /** Where connections were to lead. */
  readonly asked: string[] = [];
  readonly #server = createServer((socket) => void this.#serve(socket).catch(() => socket.destroy()));

  constructor(private readonly port: number) {}

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(socket: Socket): Promise<void> {
    await once(socket, 'data');
    // Nobody has to say who they are.
    socket.write(Buffer.from([5, 0]));
    const [request] = (await once(socket, 'data')) as [Buffer];
    // A name, after its length, and a port of two bytes.
    this.asked.push(`${request.subarray(5, -2)}:${request.readUInt16BE(request.length - 2)}`);
    const onward = connectTcp(this.port, '127.0.0.1');
    for (const each of [socket, onward]) each.on('error', () => {});
    await once(onward, 'connect');
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    socket.pipe(onward).pipe(socket);
  }
}

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
