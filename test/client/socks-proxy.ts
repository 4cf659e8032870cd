import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';

/** A proxy that leads to one port, whatever it is asked for: https://datatracker.ietf.org/doc/html/rfc1928 */
export class SocksProxy {
  /** Where connections were to lead. */
  readonly asked: string[] = [];
  /** User and password of who came. */
  readonly accounts: string[] = [];
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
    const [hello] = (await once(socket, 'data')) as [Buffer];
    // Who can say who they are has to, by user and password: https://datatracker.ietf.org/doc/html/rfc1929
    const isAsked = hello.subarray(2).includes(2);
    socket.write(Buffer.from([5, isAsked ? 2 : 0]));
    if (isAsked) {
      const [account] = (await once(socket, 'data')) as [Buffer];
      const user = account.subarray(2, 2 + account[1]!);
      this.accounts.push(`${user}:${account.subarray(3 + user.length)}`);
      socket.write(Buffer.from([1, 0]));
    }
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
