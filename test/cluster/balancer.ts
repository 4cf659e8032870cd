import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type KubeconfigInput, kubeconfigOf } from './kubeconfig.js';

/** One of those that are behind a balancer. */
interface Backend {
  readonly port: number;
  isOn: boolean;
  isFrozen: boolean;
  readonly connections: Set<Connection>;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
}

/**
 * Hands each connection to the next of several ports of loopback, as what stands before API servers does, or before etcd. It
 * knows nothing of what passes, and of who is ready.
 */
export class Balancer {
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket));
  readonly #backends: readonly Backend[];
  #next = 0;

  private constructor(ports: readonly number[]) {
    this.#backends = ports.map((port) => ({ port, isOn: true, isFrozen: false, connections: new Set() }));
  }

  static async start(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** A kubeconfig by which API servers are reached through it. */
  kubeconfigOf(ca: string): { kubeconfig(token: KubeconfigInput['token']): string } {
    const url = `https://127.0.0.1:${this.port}`;
    return { kubeconfig: (token) => kubeconfigOf({ url, ca, token }) };
  }

  /** New connections go to these alone. */
  only(...indexes: readonly number[]): void {
    for (const [index, each] of this.#backends.entries()) each.isOn = indexes.includes(index);
  }

  /** Whoever speaks to this one is cut off. */
  cut(index: number): void {
    for (const { near, far } of this.#backend(index).connections) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Nothing passes to or from this one any more, and nobody is told. */
  freeze(index: number): void {
    const backend = this.#backend(index);
    backend.isFrozen = true;
    for (const { near, far } of backend.connections) {
      near.unpipe().pause();
      far.unpipe().pause();
    }
  }

  /** What was held back passes. */
  thaw(index: number): void {
    const backend = this.#backend(index);
    backend.isFrozen = false;
    for (const each of backend.connections) join(each);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const index of this.#backends.keys()) this.cut(index);
    await closed;
  }

  #backend(index: number): Backend {
    const backend = this.#backends[index];
    if (!backend) throw new Error(`there is no backend ${index}`);
    return backend;
  }

  #accept(near: Socket): void {
    const on = this.#backends.filter(({ isOn }) => isOn);
    const backend = on[this.#next++ % on.length];
    near.on('error', () => {});
    if (!backend) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(backend.port, '127.0.0.1').on('error', () => {});
    const connection = { near, far };
    backend.connections.add(connection);
    const over = () => {
      backend.connections.delete(connection);
      near.destroy();
      far.destroy();
    };
    near.once('close', over);
    far.once('close', over);
    if (!backend.isFrozen) join(connection);
  }
}

function join({ near, far }: Connection): void {
  near.pipe(far);
  far.pipe(near);
}
