import { readFile } from 'node:fs/promises';

/** https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/#audit-k8s-io-v1-Event */
export interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code: number; readonly reason?: string; readonly message?: string };
  readonly requestObject?: unknown;
  readonly requestReceivedTimestamp: string;
}

/** Every request once, when it was answered; of a watch, when it began. Requests of the server to itself are left out. */
export const auditPolicy = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'Panic'],
  omitManagedFields: true,
  rules: [
    { level: 'None', users: ['system:apiserver'] },
    { level: 'Request', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'Metadata' },
  ],
});

/** The events in the log `file` so far, each request once, in the order in which they arrived. */
export async function readAudit(file: string): Promise<AuditEvent[]> {
  // What follows the last line feed is a line that is being written.
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const byRequest = new Map<string, AuditEvent>();
  for (const line of lines) {
    const event = JSON.parse(line) as AuditEvent;
    byRequest.set(event.auditID, event);
  }
  return [...byRequest.values()].sort((a, b) => a.requestReceivedTimestamp.localeCompare(b.requestReceivedTimestamp));
}

const writing = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Milliseconds since the epoch, as `Date.now()` gives: earlier requests are left out. The clock is the machine's. */
export type Since = number;

/** The writes of one user, dry runs included. */
export function writesOf(events: readonly AuditEvent[], username: string, since: Since = 0): AuditEvent[] {
  return requestsOf(events, username, since).filter(({ verb }) => writing.has(verb));
}

/** What one user asked without being told: everything but watches and writes. */
export function readsOf(events: readonly AuditEvent[], username: string, since: Since = 0): AuditEvent[] {
  return requestsOf(events, username, since).filter(({ verb }) => verb !== 'watch' && !writing.has(verb));
}

function requestsOf(events: readonly AuditEvent[], username: string, since: Since): AuditEvent[] {
  return events.filter(
    ({ user, requestReceivedTimestamp }) => user.username === username && Date.parse(requestReceivedTimestamp) >= since,
  );
}

/**
 * What came and went by `writes` that succeeded, Events apart: `create services/cache`, `delete services/cache`. An apply
 * of what is not there is a patch and creates it, as the answer 201 says.
 */
export function comingsAndGoings(writes: readonly AuditEvent[]): string[] {
  return writes.flatMap(({ verb, objectRef, responseStatus: { code = 500 } = {} }) => {
    const deed = code === 201 ? 'create' : verb.startsWith('delete') && code < 300 ? 'delete' : undefined;
    if (deed === undefined || objectRef?.resource === 'events') return [];
    return `${deed} ${[objectRef?.resource, objectRef?.name, objectRef?.subresource].filter(Boolean).join('/')}`;
  });
}

/** `patch memcacheds/default/cache/status by …`, for the message of a test that expected no such request. */
export function describeRequest({ verb, objectRef, requestURI, user }: AuditEvent): string {
  const object = objectRef
    ? [objectRef.resource, objectRef.namespace, objectRef.name, objectRef.subresource].filter(Boolean).join('/')
    : requestURI;
  return `${verb} ${object} by ${user.username}`;
}
