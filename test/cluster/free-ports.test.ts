import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { freePorts } from './free-ports.js';

it('are ports that nobody is given who asks for any', async () => {
  const ports = await freePorts(40);
  expect(new Set(ports).size).toBe(40);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(Math.max(...ports)).toBeLessThan((server.address() as AddressInfo).port);
  server.close();
  const [port] = ports;
  const mine = createServer().listen(port, '127.0.0.1');
  await once(mine, 'listening');
  mine.close();
});
