import type { ObjectList } from '../../src/client/cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';

/** A request as it came to a fault proxy, and what became of it. Times are of `performance.now()`. */
export interface ProxiedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly isWatch: boolean;
  readonly isWrite: boolean;
  readonly body: string;
  /** As whom it came: `Bearer …`. */
  readonly authorization: string;
  readonly arrivedAt: number;
  /** Of the API server's answer, or of the proxy's own; absent while there is none. */
  code?: number;
  /** When the server was asked; absent while it was not, and for ever where a fault kept the request from it. */
  sentAt?: number;
  /** When the server's whole answer was here: what was asked is committed, or refused. */
  committedAt?: number;
  endedAt?: number;
  outcome: Outcome;
}

/** `gone`: the client went away before the answer was whole. */
export type Outcome = 'under way' | 'answered' | 'finished' | 'reset' | 'closed' | 'stalled' | 'dropped' | 'gone';

/** Which requests a rule is for. All that is stated must hold. */
export interface Match {
  readonly method?: string;
  /** A part of the path and its query. */
  readonly path?: string | RegExp;
  readonly watch?: boolean;
  /** What is no GET. */
  readonly write?: boolean;
  readonly when?: (request: ProxiedRequest) => boolean;
  /** How many that match go by before the rule begins to act. Default: none. */
  readonly skip?: number;
  /** How many it acts on. Default: one. */
  readonly times?: number;
}

/** Writes that are work: the Lease and Events are no part of what is to be reached. */
export const work: Match = { write: true, when: ({ path }) => !/\/(leases|events)(\/|\?|$)/.test(path) };

/** How a connection ends, or does not. */
export type End =
  /** In good order, as a server ends a watch every few minutes. */
  | 'finish'
  /** RST. */
  | 'reset'
  /** FIN in the midst of it. */
  | 'close'
  /** Nothing more comes, and nothing says so. */
  | 'stall';

/** What is done to a request, its answer, or both. */
export type Fault =
  /** Before the server is asked, or before its answer is passed on. */
  | { readonly type: 'delay'; readonly milliseconds: number; readonly of: 'request' | 'answer' }
  /** Before the server is asked, until `release`. */
  | { readonly type: 'hold' }
  /** The bytes of an answer, such as the events of a watch, until `release`; its head goes by. */
  | { readonly type: 'hold events' }
  /** The proxy answers, and the server is never asked. `isOpen`: the answer has no end, as a watch has none. */
  | { readonly type: 'answer'; readonly answer: Answer | ((request: ProxiedRequest) => Answer) }
  /** After so many bytes of the answer's body. */
  | { readonly type: 'end'; readonly how: End; readonly afterBytes: number }
  /** Accepts the request and says nothing, ever. The server is not asked. */
  | { readonly type: 'silence' }
  /** The answer's body arrives in so many bytes at a time. */
  | { readonly type: 'split'; readonly bytes: number }
  /** Changes what passes. */
  | { readonly type: 'rewrite'; readonly bytes: (chunk: Buffer) => Buffer }
  /** Just before the server would be asked. With `drop` it never is, and the client gets a reset. */
  | { readonly type: 'before sent'; readonly run: Hook; readonly next: 'forward' | 'drop' }
  /** Just after the server's whole answer came. With `drop` the client gets a reset for it. Not for watches. */
  | { readonly type: 'after committed'; readonly run: Hook; readonly next: 'forward' | 'drop' };

export type Hook = (request: ProxiedRequest) => void | Promise<void>;

export interface Answer {
  readonly code: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly isOpen?: boolean;
}

/** A failure in the server's form: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export function refusal(code: number, reason: string, fields: { readonly retryAfterSeconds?: number } = {}): Fault {
  const { retryAfterSeconds } = fields;
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const message = `the fault proxy answers ${code} ${reason}`;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message };
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return { type: 'answer', answer: { code, headers, body: JSON.stringify({ ...status, ...details }) } };
}

/**
 * The past, as a replica of the API server that lags behind shows it: `list` as it was once, in the form in which it is
 * asked for: a list, or the events of a streaming list, after which nothing more comes. For requests for the whole.
 */
export function oldList({ apiVersion, kind }: ApiResource, { resourceVersion, items }: ObjectList): Fault {
  const headers = { 'content-type': 'application/json' };
  const end = { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } };
  const events = [
    ...items.map((object) => ({ type: 'ADDED', object })),
    { type: 'BOOKMARK', object: { apiVersion, kind, metadata: end } },
  ];
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const whole = JSON.stringify({ apiVersion, kind: `${kind}List`, metadata: { resourceVersion }, items });
  return {
    type: 'answer',
    answer: ({ isWatch }) => ({ code: 200, headers, body: isWatch ? lines : whole, isOpen: isWatch }),
  };
}

/** A rule that stands. It acts on the requests that it matches, as many as it is for, or until it is removed. */
export class Rule {
  /** How many requests it has acted on. */
  hits = 0;
  #matched = 0;
  #isRemoved = false;
  #release = () => {};
  readonly released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  constructor(
    private readonly match: Match,
    readonly fault: Fault,
  ) {}

  /** Lets go of what it holds, and holds nothing more. */
  release(): void {
    this.remove();
    this.#release();
  }

  remove(): void {
    this.#isRemoved = true;
  }

  /** True when the rule acts on `request`, which counts as one of those that it is for. */
  takes(request: ProxiedRequest): boolean {
    const { skip = 0, times = 1 } = this.match;
    if (this.#isRemoved || !matches(this.match, request)) return false;
    this.#matched += 1;
    if (this.#matched <= skip || this.hits >= times) return false;
    this.hits += 1;
    return true;
  }
}

export function matches({ method, path, watch, write, when }: Match, request: ProxiedRequest): boolean {
  return (
    (method === undefined || method === request.method) &&
    (path === undefined || (typeof path === 'string' ? request.path.includes(path) : path.test(request.path))) &&
    (watch === undefined || watch === request.isWatch) &&
    (write === undefined || write === request.isWrite) &&
    (when === undefined || when(request))
  );
}
