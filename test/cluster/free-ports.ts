import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export type Ports = (count: number) => Promise<number[]>;

/**
 * Below what systems give to whoever asks for any port, or opens a connection, and above what services of a machine have: so
 * nobody is given one by chance between the moment it is found free and the moment it is used, or while a server restarts.
 */
const [first, end] = [15_000, 30_000];
const tries = 1000;

/** Ports on loopback that were free a moment ago, all different. Who asks for one of them by its number may still take it first. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  for (let attempt = 0; servers.length < count; attempt++) {
    const server = createServer().listen(randomInt(first, end), '127.0.0.1');
    try {
      await once(server, 'listening');
      servers.push(server);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || attempt === tries) throw error;
    }
  }
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
