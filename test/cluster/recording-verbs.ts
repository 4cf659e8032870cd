import { randomUUID } from 'node:crypto';
import type { Address, Caller, Selection, Verbs } from '../../src/embedded/api-server.js';
import type { ServedKind } from '../../src/embedded/kinds/served-kind.js';
import { StatusError } from '../../src/embedded/status-error.js';
import type { AuditEvent } from './audit.js';

/** Verbs that keep an audit log, as the real API server's is: each request once, with what it was answered. */
export function recordingVerbs(verbs: Verbs, log: AuditEvent[]): Verbs {
  const record = <T>(
    verb: string,
    kind: ServedKind,
    caller: Caller,
    about: Partial<Address> & Pick<Selection, 'namespace'> & { readonly subresource?: string },
    act: () => T,
  ): T => {
    const { name, namespace, subresource } = about;
    const event = {
      auditID: randomUUID(),
      verb,
      requestURI: `/${kind.group}/${kind.plural}`,
      user: { username: caller.name, groups: caller.groups },
      objectRef: {
        resource: kind.plural,
        apiGroup: kind.group,
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
        ...(subresource === undefined ? {} : { subresource }),
      },
      requestReceivedTimestamp: new Date().toISOString(),
    };
    try {
      const answer = act();
      log.push({ ...event, responseStatus: { code: madeSomething(answer) ? 201 : 200 } });
      return answer;
    } catch (error) {
      const { code = 500, message = String(error) } = error instanceof StatusError ? error.status : {};
      log.push({ ...event, responseStatus: { code, message } });
      throw error;
    }
  };
  return {
    get: (kind, address, request) =>
      record('get', kind, request.caller, address, () => verbs.get(kind, address, request)),
    list: (kind, selection, request) =>
      record('list', kind, request.caller, selection, () => verbs.list(kind, selection, request)),
    watch: (kind, selection, request) =>
      record('watch', kind, request.caller, selection, () => verbs.watch(kind, selection, request)),
    create: (kind, namespace, body, request) => {
      const { name } = ((body as { metadata?: { name?: string } }).metadata ?? {}) as { name?: string };
      const about = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
      return record('create', kind, request.caller, { ...about, ...subresourceOf(request) }, () =>
        verbs.create(kind, namespace, body, request),
      );
    },
    update: (kind, address, body, request) =>
      record('update', kind, request.caller, { ...address, ...subresourceOf(request) }, () =>
        verbs.update(kind, address, body, request),
      ),
    patch: (kind, address, body, request) =>
      record('patch', kind, request.caller, { ...address, ...subresourceOf(request) }, () =>
        verbs.patch(kind, address, body, request),
      ),
    delete: (kind, address, options, request) =>
      record('delete', kind, request.caller, address, () => verbs.delete(kind, address, options, request)),
    deleteCollection: (kind, selection, options, request) =>
      record('deletecollection', kind, request.caller, selection, () =>
        verbs.deleteCollection(kind, selection, options, request),
      ),
  };
}

/** As the API server answers a creation, and an apply that is one. */
function madeSomething(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'created' in answer && answer.created === true;
}

function subresourceOf({ subresource }: { readonly subresource?: string }): { readonly subresource?: string } {
  return subresource === undefined ? {} : { subresource };
}
