import type { ApiResource } from '../kube/api-resource.js';
import { placeOf, show } from '../kube/object-ref.js';

/** A call of a controller to the API server. */
export interface Call {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly subresource?: string;
  /** `dryRun=All`: it only asks what the server would say. */
  readonly dryRun?: true;
}

/** A write that a controller made. */
export interface ControllerWrite extends Call {
  /** Seconds of the cluster's time since its start. */
  readonly at: number;
  /** The `identity` of the controller. */
  readonly by: string;
}

/**
 * Selects calls: those that have all that is said here, such as `{ verb: 'apply', kind: Deployment }`. `{}` selects every call.
 * `write` is any verb that writes. Dry runs are selected only where no verb is given.
 */
export interface CallMatch {
  readonly verb?: Call['verb'] | 'write' | readonly Call['verb'][];
  readonly kind?: string | Pick<ApiResource, 'kind'>;
  readonly name?: string;
  readonly namespace?: string;
  /** `status`; an empty text means calls to the object itself. */
  readonly subresource?: string;
}

const writes: readonly Call['verb'][] = ['create', 'update', 'patch', 'apply', 'delete'];

export function isWrite({ verb, dryRun }: Call): boolean {
  return writes.includes(verb) && !dryRun;
}

export function matches(match: CallMatch, call: Call): boolean {
  const { verb, kind, name, namespace, subresource } = match;
  if (verb !== undefined && call.dryRun) return false;
  if (verb === 'write' ? !isWrite(call) : verb !== undefined && ![verb].flat().includes(call.verb)) return false;
  if (kind !== undefined && kindName(kind) !== call.kind) return false;
  if (name !== undefined && name !== call.name) return false;
  if (namespace !== undefined && namespace !== call.namespace) return false;
  return subresource === undefined || subresource === (call.subresource ?? '');
}

/** As calls have it, of a name or a class. */
export function kindName(kind: string | Pick<ApiResource, 'kind'>): string {
  return typeof kind === 'string' ? kind : kind.kind;
}

/** `apply Deployment/cache`, `create or delete Service`, `any call`. */
export function showMatch({ verb, kind, name, namespace, subresource }: CallMatch): string {
  const verbs = verb === undefined ? 'any call' : [verb].flat().join(' or ');
  const subject = [kind === undefined ? kind : kindName(kind), namespace, name]
    .filter((part) => part !== undefined)
    .join('/');
  return [subresource, verbs, subject].filter((part) => part).join(' ');
}

/** `apply Deployment/default/cache`, `status apply Memcached/default/cache`. */
export function showCall({ verb, kind, name, namespace, subresource, dryRun }: Call): string {
  const subject = name === undefined ? kind : show({ kind, ...placeOf({ name, namespace }) });
  return `${dryRun ? 'dry-run ' : ''}${subresource === undefined ? '' : `${subresource} `}${verb} ${subject}`;
}
