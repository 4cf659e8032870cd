import type { KubeObject } from '../../kube/manifest.js';
import { timestamp } from '../../kube/timestamp.js';
import { problem } from '../../schema/field-problem.js';
import { badRequest, conflict, invalid, notFound } from '../status-error.js';
import type { TokenWish } from './tokens.js';
import type { Answer, Question, VirtualDesk } from './virtual-kind.js';

const about = { group: 'authentication.k8s.io', name: 'TokenRequest' };

interface TokenRequestSpec {
  readonly audiences?: readonly string[] | null;
  readonly expirationSeconds?: number | null;
  readonly boundObjectRef?: {
    readonly kind?: string;
    readonly apiVersion?: string;
    readonly name?: string;
    readonly uid?: string;
  } | null;
}

/**
 * A token for a ServiceAccount, by its subresource `token`.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/
 */
export function requestToken({ object, namespace = '', name = '' }: Question, desk: VirtualDesk): Answer {
  const { metadata } = object;
  const mismatch = (field: string, value: unknown) =>
    invalid(about, name, [
      problem('FieldValueInvalid', `metadata.${field}`, value, `must match the service account ${field} if specified`),
    ]);
  if (metadata.name && metadata.name !== name) throw mismatch('name', metadata.name);
  const account = desk.store.get('serviceaccounts', namespace, name);
  if (!account) throw notFound({ group: '', name: 'serviceaccounts' }, name);
  const { uid } = account.metadata;
  if (metadata.uid && metadata.uid !== uid) {
    const because = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflict(about, name, because);
  }

  const spec = (object['spec'] ?? {}) as TokenRequestSpec;
  const audiences = spec.audiences?.length ? spec.audiences : [desk.tokens.issuer];
  const expirationSeconds = spec.expirationSeconds ?? 3600;
  refuseExpiration(expirationSeconds);
  const boundTo = boundObject(spec.boundObjectRef ?? undefined, account, desk);
  const now = desk.clock.now();
  const token = desk.tokens.issue(account, { audiences, expirationSeconds, ...(boundTo ? { boundTo } : {}) });
  return {
    metadata: { ...metadata, name, namespace, uid, creationTimestamp: timestamp(now) },
    spec: { audiences, expirationSeconds, boundObjectRef: spec.boundObjectRef ?? null },
    status: { token, expirationTimestamp: timestamp(now + expirationSeconds * 1000) },
  };
}

function refuseExpiration(seconds: number): void {
  const detail =
    seconds < 600
      ? 'may not specify a duration less than 10 minutes'
      : seconds > 2 ** 32
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (detail !== undefined) {
    throw invalid(about, '', [problem('FieldValueInvalid', 'spec.expirationSeconds', seconds, detail)]);
  }
}

function boundObject(
  ref: TokenRequestSpec['boundObjectRef'] | undefined,
  { metadata: account }: KubeObject,
  { store }: VirtualDesk,
): TokenWish['boundTo'] {
  if (!ref) return undefined;
  const { kind = '', apiVersion = '', name = '' } = ref;
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  if (group !== '' || (kind !== 'Pod' && kind !== 'Secret' && kind !== 'Node')) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const storage = `${kind.toLowerCase()}s`;
  const object = store.get(storage, kind === 'Node' ? undefined : account.namespace, name);
  if (!object) throw notFound({ group: '', name: storage }, name);
  const { serviceAccountName } = (object['spec'] ?? {}) as { readonly serviceAccountName?: string };
  if (kind === 'Pod' && serviceAccountName !== account.name) {
    const who = JSON.stringify(account.name);
    throw badRequest(`cannot bind token for serviceaccount ${who} to pod running with different serviceaccount name.`);
  }
  if (ref.uid && ref.uid !== object.metadata.uid) {
    const because = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', name: kind }, name, because);
  }
  return { kind, object };
}
