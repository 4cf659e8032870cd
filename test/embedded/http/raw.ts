import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which anything can be sent, whole or broken. For servers without TLS. */
export class Raw {
  #received = '';
  #waiting: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      this.#received += text;
      for (const wake of this.#waiting.splice(0)) wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  static async to(url: string): Promise<Raw> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Raw(socket);
  }

  get received(): string {
    return this.#received;
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves when something like `pattern` has come, or the connection has ended, with all that came. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received) && !this.socket.closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#received;
  }

  close(): void {
    this.socket.destroy();
  }
}
