import { once } from 'node:events';
import { createServer } from 'node:net';

export type Ports = (count: number) => Promise<number[]>;

/** Ports on loopback that were free a moment ago, all different. Another process may still take one first. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
