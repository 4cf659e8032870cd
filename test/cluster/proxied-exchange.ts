import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Agent, request as ask } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { End, Fault, Outcome, ProxiedRequest, Rule } from './proxy-rules.js';

/** Where requests are sent on to. */
export interface Upstream {
  readonly url: string;
  readonly agent: Agent;
}

const outcomes = { finish: 'finished', reset: 'reset', close: 'closed', stall: 'stalled' } as const;

/** What becomes of the next part of an answer, and of the answer after it. */
export interface Alteration {
  readonly bytes: (chunk: Buffer) => Buffer;
  readonly end?: End;
}

/** One request of a client and its answer, with what rules do to them. */
export class ProxiedExchange {
  #passed = 0;
  #isOver = false;
  #alteration: Alteration | undefined;

  constructor(
    readonly request: ProxiedRequest,
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
    /** Beneath TLS. */
    private readonly socket: Socket,
    private readonly rules: readonly Rule[],
    private readonly upstream: Upstream,
  ) {
    response.once('close', () => this.#over(response.writableFinished ? 'answered' : 'gone'));
    response.on('error', () => {});
  }

  get isOpen(): boolean {
    return !this.#isOver;
  }

  async run(): Promise<void> {
    for (const { fault, released } of this.rules) {
      if (fault.type === 'delay' && fault.of === 'request') await sleep(fault.milliseconds, undefined, { ref: false });
      else if (fault.type === 'hold') await released;
      else if (fault.type === 'answer') return this.#answer(fault);
      else if (fault.type === 'silence') return this.#over('stalled');
      else if (fault.type === 'before sent') {
        await fault.run(this.request);
        if (fault.next === 'drop') return this.#drop();
      }
      if (this.#isOver) return;
    }
    await this.#forward();
  }

  /** Says something in the midst of an answer that is under way. */
  say(text: string | Buffer): void {
    if (!this.#isOver) this.response.write(text);
  }

  /** Changes the next part of the answer, such as the next event of a watch, instead of passing it on as it is. */
  alterNext(alteration: Alteration): void {
    this.#alteration = alteration;
  }

  end(how: End): void {
    if (this.#isOver) return;
    this.#over(outcomes[how]);
    if (how === 'finish') this.response.end();
    if (how === 'finish' || how === 'stall') return;
    // What was said before has to arrive: a reset would overtake it.
    setTimeout(() => (how === 'reset' ? this.#reset() : this.response.socket?.destroySoon()), 20);
  }

  async #forward(): Promise<void> {
    const { method, path, body } = this.request;
    const { 'transfer-encoding': _, ...headers } = this.incoming.headers;
    this.request.sentAt = performance.now();
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const call = ask(new URL(path, this.upstream.url), {
      agent: this.upstream.agent,
      method,
      headers: { ...headers, ...length, host: new URL(this.upstream.url).host },
    });
    // Of a client that went away while nothing is said to it, only its connection tells.
    const leave = () => call.destroy();
    this.response.once('close', leave);
    this.incoming.socket.once('close', leave);
    call.once('close', () => this.incoming.socket.off('close', leave));
    call.on('error', () => this.#drop());
    call.end(body === '' ? undefined : body);
    let answer: IncomingMessage;
    try {
      [answer] = (await once(call, 'response')) as [IncomingMessage];
    } catch {
      return;
    }
    answer.on('error', () => this.#drop());
    try {
      await this.#passOn(answer);
    } catch {
      this.#drop();
    }
  }

  async #passOn(answer: IncomingMessage): Promise<void> {
    this.request.code = answer.statusCode ?? 0;
    const { 'content-length': _, connection: __, ...headers } = answer.headers;
    if (this.request.isWatch) {
      this.response.writeHead(this.request.code, headers);
      this.response.flushHeaders();
      for await (const chunk of answer as AsyncIterable<Buffer>) await this.#pass(chunk);
    } else {
      const chunks: Buffer[] = [];
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
      this.request.committedAt = performance.now();
      for (const { fault } of this.rules) {
        if (fault.type !== 'after committed') continue;
        await fault.run(this.request);
        if (fault.next === 'drop') return this.#drop();
      }
      if (this.#isOver) return;
      this.response.writeHead(this.request.code, headers);
      if (chunks.length > 0) await this.#pass(Buffer.concat(chunks));
    }
    if (!this.#isOver) this.response.end();
  }

  /** A part of the answer's body, on its way to the client. */
  async #pass(bytes: Buffer): Promise<void> {
    let chunk = bytes;
    for (const { fault, released } of this.rules) {
      if (fault.type === 'delay' && fault.of === 'answer') await sleep(fault.milliseconds, undefined, { ref: false });
      else if (fault.type === 'hold events') await released;
      else if (fault.type === 'rewrite') chunk = fault.bytes(chunk);
    }
    if (this.#isOver) return;
    const alteration = this.#alteration;
    this.#alteration = undefined;
    if (alteration) {
      chunk = alteration.bytes(chunk);
      this.response.write(chunk);
      if (alteration.end) this.end(alteration.end);
      return;
    }
    for (const { fault } of this.rules) {
      if (fault.type === 'split' && fault.bytes > 0) return this.#dribble(chunk, fault.bytes);
      if (fault.type !== 'end' || this.#passed + chunk.length < fault.afterBytes) continue;
      this.response.write(chunk.subarray(0, fault.afterBytes - this.#passed));
      this.end(fault.how);
      return;
    }
    this.#passed += chunk.length;
    if (!this.response.write(chunk)) await this.#drained();
  }

  async #dribble(chunk: Buffer, bytes: number): Promise<void> {
    for (let start = 0; start < chunk.length && !this.#isOver; start += bytes) {
      this.response.write(chunk.subarray(start, start + bytes));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Resolves when the client has taken what was said, or has gone away. */
  async #drained(): Promise<void> {
    if (this.response.destroyed) return;
    const left = new AbortController();
    const leave = () => left.abort();
    this.response.once('close', leave);
    await once(this.response, 'drain', { signal: left.signal }).catch(() => {});
    this.response.off('close', leave);
  }

  #answer({ answer }: Fault & { readonly type: 'answer' }): void {
    const { code, headers, body, isOpen } = typeof answer === 'function' ? answer(this.request) : answer;
    this.request.code = code;
    this.response.writeHead(code, headers);
    if (isOpen) this.response.write(body);
    else this.response.end(body);
  }

  #drop(): void {
    if (this.#isOver) return;
    this.#over('dropped');
    this.#reset();
  }

  /** RST. Node never gets rid of a connection that it resets while it ends it, and would not exit. */
  #reset(): void {
    if (this.incoming.socket.writableEnded) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  #over(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.request.outcome = outcome;
    this.request.endedAt = performance.now();
  }
}
