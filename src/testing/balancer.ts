import type { Call } from './call.js';
import type { Fate } from './faults.js';
import type { UnwellServer } from './unwell-server.js';

/** What stands before several API servers: one that is well, and those that are not. */
export class Balancer {
  readonly #unwell = new Set<UnwellServer>();
  /** Which open watches lead to those. */
  readonly #unwellOf = new Map<object, UnwellServer>();

  /** One is not well from now on, until the returned function is called, and some of the watches that are open lead there. */
  add(server: UnwellServer, open: Iterable<readonly [watch: object, call: Call]>): () => void {
    this.#unwell.add(server);
    for (const [watch, call] of open) if (server.leads(call)) this.#unwellOf.set(watch, server);
    server.begun();
    return () => this.#heal(server);
  }

  /** All are well. */
  clear(): void {
    for (const server of this.#unwell) this.#heal(server);
  }

  /** Which of those that are not well a watch meets that is about to begin; undefined of the one that is. */
  meets(watch: Call): UnwellServer | undefined {
    for (const server of this.#unwell) if (server.leads(watch)) return server;
    return undefined;
  }

  /** A watch has begun. */
  opened(watch: object, server: UnwellServer | undefined): void {
    if (server) this.#unwellOf.set(watch, server);
  }

  /** What keeps events of an open watch back. */
  serverOf(watch: object): UnwellServer | undefined {
    const server = this.#unwellOf.get(watch);
    return server?.isOver ? undefined : server;
  }

  closed(watch: object): void {
    this.#unwellOf.delete(watch);
  }

  /** What becomes of a call by the server that it meets. */
  fateOf(call: Call): Fate | undefined {
    if (call.verb === 'watch') return undefined;
    for (const server of this.#unwell) {
      const fate = server.fateOf(call);
      if (fate) return fate;
    }
    return undefined;
  }

  /** Milliseconds that a call waits at the server that it meets. */
  waitOf(call: Call): number {
    let wait = 0;
    for (const server of this.#unwell) wait += server.waitOf(call);
    return wait;
  }

  #heal(server: UnwellServer): void {
    this.#unwell.delete(server);
    server.end();
  }
}
