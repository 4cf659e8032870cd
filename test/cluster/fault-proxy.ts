import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import type { ClusterConfig } from '../../src/client/cluster-config.js';
import { type Certificates, loopbackCertificates } from '../../src/embedded/http/certificates.js';
import { type KubeconfigInput, kubeconfigOf } from './kubeconfig.js';
import { type Alteration, ProxiedExchange } from './proxied-exchange.js';
import { type End, type Fault, type Match, matches, type ProxiedRequest, Rule } from './proxy-rules.js';

/** What is behind a proxy. */
export interface Behind {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
}

/**
 * Stands between a client and an API server, TLS on both sides, HTTP/1.1, and makes go wrong what a test asks for.
 *
 * **Guarantees.** What no rule is for passes unchanged, byte by byte and as soon as it comes. Every request is on record,
 * in the order of arrival, with its times and what became of it.
 */
export class FaultProxy {
  readonly requests: ProxiedRequest[] = [];
  readonly #rules: Rule[] = [];
  readonly #exchanges = new Set<ProxiedExchange>();
  readonly #sockets = new Set<Socket>();
  readonly #beneath = new WeakMap<object, Socket>();
  readonly #agent: Agent;
  readonly #tcp = createTcp((socket) => this.#accept(socket));
  readonly #https;
  #isCut = false;

  private constructor(
    private readonly behind: Behind,
    private certificates: Certificates,
  ) {
    // Idle connections are let go before any server does it, which would look like a fault.
    this.#agent = new Agent({ ca: behind.ca, keepAlive: true, timeout: 3000 });
    const { certificate, key } = certificates;
    this.#https = createServer({ cert: certificate, key, ALPNProtocols: ['http/1.1'], keepAliveTimeout: 600_000 });
    this.#https.on('secureConnection', (secure: Socket & { _parent?: Socket }) => {
      const socket = this.#lastAccepted(secure);
      if (socket) this.#beneath.set(secure, socket);
    });
    this.#https.on('request', (request, response) => void this.#handle(request, response));
    this.#https.on('tlsClientError', () => {});
    this.#https.on('clientError', (_, socket) => socket.destroy());
  }

  static async start(behind: Behind): Promise<FaultProxy> {
    const proxy = new FaultProxy(behind, loopbackCertificates(Date.now()));
    proxy.#tcp.listen(0, '127.0.0.1');
    await once(proxy.#tcp, 'listening');
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#tcp.address() as AddressInfo).port;
  }

  get ca(): string {
    return this.certificates.ca;
  }

  /** A kubeconfig, as text, by which whoever has the token comes through here. */
  kubeconfig(token: KubeconfigInput['token'], namespace = 'default'): string {
    return kubeconfigOf({ url: this.url, ca: this.ca, token, namespace });
  }

  /** The same for a client in this process. */
  config(token: string, namespace = 'default'): ClusterConfig {
    const tls = { ca: this.ca };
    return { server: this.url, namespace, tls: async () => tls, authorization: async () => `Bearer ${token}` };
  }

  /** A rule for what comes from now on. Of several that are for one request all act, in the order of their making. */
  on(match: Match, fault: Fault): Rule {
    const rule = new Rule(match, fault);
    this.#rules.push(rule);
    return rule;
  }

  /** Requests so far that match; `skip` and `times` count for nothing here. */
  seen(match: Match): ProxiedRequest[] {
    return this.requests.filter((request) => matches(match, request));
  }

  /** Says something in the midst of the answers that are under way, such as the line of an ERROR event. */
  say(match: Match, text: string | Buffer): void {
    for (const exchange of this.#open(match)) exchange.say(text);
  }

  /** Changes the next part of answers that are under way, such as the next event of a watch. */
  alterNext(match: Match, alteration: Alteration): void {
    for (const exchange of this.#open(match)) exchange.alterNext(alteration);
  }

  /** Ends answers that are under way. */
  end(match: Match, how: End): void {
    for (const exchange of this.#open(match)) exchange.end(how);
  }

  /** Resets every connection that is there, idle ones too. New ones are welcome. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Has certificates of another authority from now on, and ends the connections that know the old one. */
  rotate(): void {
    this.certificates = loopbackCertificates(Date.now());
    const { certificate, key } = this.certificates;
    this.#https.setSecureContext({ cert: certificate, key });
    this.dropConnections();
  }

  /** Nothing passes any more, either way, and nobody is told; until `heal`. Requests that come meanwhile are lost. */
  partition(): void {
    this.#isCut = true;
    for (const exchange of this.#exchanges) exchange.end('stall');
  }

  /** What comes from now on passes. Connections that hung through the partition are reset. */
  heal(): void {
    this.#isCut = false;
    this.dropConnections();
  }

  /** Milliseconds since the last request that matches was sent or answered; infinite when there was none. */
  quietFor(match: Match): number {
    const last = this.seen(match).reduce(
      (latest, { arrivedAt, endedAt = performance.now() }) => Math.max(latest, arrivedAt, endedAt),
      Number.NEGATIVE_INFINITY,
    );
    return performance.now() - last;
  }

  async close(): Promise<void> {
    for (const rule of this.#rules) rule.release();
    this.#tcp.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
  }

  #open(match: Match): ProxiedExchange[] {
    return [...this.#exchanges].filter(({ isOpen, request }) => isOpen && matches(match, request));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    this.#https.emit('connection', socket);
  }

  /** The connection beneath a TLS socket: both ends are at the same port of the peer. */
  #lastAccepted({ remotePort }: Socket): Socket | undefined {
    return [...this.#sockets].find((socket) => socket.remotePort === remotePort);
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = 'GET', url = '/' } = incoming;
    const request: ProxiedRequest = {
      method,
      path: url,
      isWatch: /[?&]watch=(true|1)\b/.test(url),
      isWrite: method !== 'GET',
      body: Buffer.concat(chunks).toString('utf8'),
      authorization: incoming.headers.authorization ?? '',
      arrivedAt: performance.now(),
      outcome: 'under way',
    };
    this.requests.push(request);
    const rules = this.#isCut ? [new Rule({}, { type: 'silence' })] : this.#rules.filter((rule) => rule.takes(request));
    const socket = this.#beneath.get(incoming.socket) ?? incoming.socket;
    const exchange = new ProxiedExchange(request, incoming, response, socket, rules, {
      url: this.behind.url,
      agent: this.#agent,
    });
    this.#exchanges.add(exchange);
    response.once('close', () => this.#exchanges.delete(exchange));
    await exchange.run();
  }
}
