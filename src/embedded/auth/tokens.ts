import type { Clock, Random } from '../../kube/clock.js';
import type { KubeObject } from '../../kube/manifest.js';
import { goQuote } from '../../schema/go-format.js';
import type { Caller } from '../api-server.js';
import { uuid } from '../engine.js';
import type { ObjectStore } from '../object-store.js';
import { unauthorized } from '../status-error.js';
import { goQuotes } from './coverage.js';
import { type Claims, type ObjectClaim, TokenSigner } from './json-web-token.js';
import { serviceAccountName } from './subject.js';

export interface TokenOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Default: `https://kubernetes.default.svc`. It is also the audience of a token that asks for none. */
  readonly issuer?: string;
  /** Signs tokens, from `newTokenKey`. Default: one that nobody else has, and that ends with this object. */
  readonly key?: string;
  /** Tokens that are good for ever, with whom they stand for, such as an administrator. */
  readonly known?: Readonly<Record<string, Caller>>;
}

/** What a token of a ServiceAccount is good for, and for how long. */
export interface TokenWish {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** What it dies with, beside the ServiceAccount. */
  readonly boundTo?: { readonly kind: 'Pod' | 'Secret' | 'Node'; readonly object: KubeObject };
}

export type Reviewed =
  | { readonly caller: Caller; readonly audiences: readonly string[] }
  | { readonly problem: string };

/** A token that a Pod gets for this many seconds is good for a year: upstream's way to spare old clients. */
const extendedSeconds = 3607;
const yearSeconds = 365 * 24 * 3600;
/** How far clocks may differ. */
const leewaySeconds = 60;

const anonymous: Caller = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Who a request is from: https://kubernetes.io/docs/reference/access-authn-authz/authentication/
 *
 * Tokens of ServiceAccounts die with the ServiceAccount, and with the Pod, Secret or Node to which they are bound, even
 * when another of the same name takes the place.
 */
export class Tokens {
  readonly issuer: string;
  readonly #signer: TokenSigner;
  readonly #known: Map<string, Caller>;

  constructor(private readonly options: TokenOptions) {
    this.issuer = options.issuer ?? 'https://kubernetes.default.svc';
    this.#signer = new TokenSigner(this.issuer, options.key);
    this.#known = new Map(Object.entries(options.known ?? {}));
  }

  /** Who sends an `Authorization` header; anonymous without one. Throws a `StatusError` (401) for a bad token. */
  authenticate(authorization: string | undefined): Caller {
    const [scheme = '', token = ''] = authorization?.trim().split(' ', 2) ?? [];
    if (scheme.toLowerCase() !== 'bearer' || token === '') return anonymous;
    const reviewed = this.review(token);
    if ('problem' in reviewed) throw unauthorized();
    return reviewed.caller;
  }

  /** Who a token stands for, for which of `audiences`, or what is wrong with it in the server's words. */
  review(token: string, audiences: readonly string[] = [this.issuer]): Reviewed {
    const known = this.#known.get(token);
    if (known) {
      // They are for this server, and for nobody else.
      const shared = audiences.filter((audience) => audience === this.issuer);
      return shared.length === 0 ? invalid() : { caller: authenticated(known), audiences: shared };
    }
    const verified = this.#signer.verify(token);
    if (!verified) return invalid();
    if ('problem' in verified) return invalid(verified.problem);
    const { claims } = verified;
    const shared = audiences.filter((audience) => claims.aud.includes(audience));
    if (shared.length === 0) {
      const [ours, theirs] = [goQuotes(claims.aud), goQuotes(audiences)];
      return invalid(`token audiences ${ours} is invalid for the target audiences ${theirs}`);
    }
    const problem = this.#problemOf(claims);
    return problem === undefined ? { caller: callerOf(claims), audiences: shared } : invalid(problem);
  }

  issue({ metadata }: KubeObject, { audiences, expirationSeconds, boundTo }: TokenWish): string {
    const { namespace = '', name } = metadata;
    const now = this.#seconds;
    const isExtended =
      boundTo?.kind === 'Pod' &&
      expirationSeconds === extendedSeconds &&
      audiences.every((audience) => audience === this.issuer);
    return this.#signer.sign({
      aud: audiences,
      exp: now + (isExtended ? yearSeconds : expirationSeconds),
      iat: now,
      jti: uuid(this.options.random),
      'kubernetes.io': {
        namespace,
        ...(boundTo ? this.#boundClaims(boundTo) : {}),
        serviceaccount: claimOf(metadata),
        ...(isExtended ? { warnafter: now + expirationSeconds } : {}),
      },
      nbf: now,
      sub: serviceAccountName(namespace, name),
    });
  }

  /** For `/openid/v1/jwks`. */
  get keySet(): { readonly keys: readonly object[] } {
    return this.#signer.keySet;
  }

  get #seconds(): number {
    return Math.floor(this.options.clock.now() / 1000);
  }

  #boundClaims({ kind, object: { metadata, ...object } }: NonNullable<TokenWish['boundTo']>) {
    if (kind === 'Secret') return { secret: claimOf(metadata) };
    if (kind === 'Node') return { node: claimOf(metadata) };
    const { nodeName } = (object['spec'] ?? {}) as { readonly nodeName?: string };
    const node = nodeName === undefined ? undefined : this.options.store.get('nodes', undefined, nodeName);
    return {
      ...(nodeName ? { node: node ? claimOf(node.metadata) : ({ name: nodeName } as ObjectClaim) } : {}),
      pod: claimOf(metadata),
    };
  }

  /** Why a token that was good once is not any more. */
  #problemOf(claims: Claims): string | undefined {
    const now = this.#seconds;
    if (now > claims.exp + leewaySeconds) return 'service account token has expired';
    if (now + leewaySeconds < claims.nbf) return 'service account token is not valid yet';
    const { namespace, serviceaccount, pod, secret, node } = claims['kubernetes.io'];
    const account = this.options.store.get('serviceaccounts', namespace, serviceaccount.name);
    if (!account) return `serviceaccounts ${goQuote(serviceaccount.name)} not found`;
    const { uid } = account.metadata;
    if (uid !== serviceaccount.uid) return `service account UID (${uid}) does not match claim (${serviceaccount.uid})`;
    if (this.#isGone(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    if (secret) return this.#problemOfBound('secrets', namespace, secret, 'secret');
    if (pod) return this.#problemOfBound('pods', namespace, pod, 'pod');
    return node && this.#problemOfBound('nodes', undefined, node, 'node');
  }

  #problemOfBound(storage: string, namespace: string | undefined, claim: ObjectClaim, what: string) {
    const object = this.options.store.get(storage, namespace, claim.name);
    if (!object) return 'service account token has been invalidated';
    const { uid } = object.metadata;
    if (uid !== claim.uid)
      return `${what} UID (${uid}) does not match service account ${what} ref claim (${claim.uid})`;
    return this.#isGone(object) ? 'service account token has been invalidated' : undefined;
  }

  /** Deleted for long enough that nobody can say they did not know. */
  #isGone({ metadata: { deletionTimestamp } }: KubeObject): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) / 1000 < this.#seconds - leewaySeconds;
  }
}

function invalid(problem?: string): Reviewed {
  return { problem: problem === undefined ? 'invalid bearer token' : `[invalid bearer token, ${problem}]` };
}

function claimOf({ name, uid }: ObjectClaim): ObjectClaim {
  return { name, uid };
}

/** With the group of everybody who is somebody. */
export function authenticated(caller: Caller): Caller {
  const everybody = ['system:authenticated', 'system:unauthenticated'];
  if (caller.groups.some((group) => everybody.includes(group))) return caller;
  return { ...caller, groups: [...caller.groups, 'system:authenticated'] };
}

const extraKey = 'authentication.kubernetes.io';

function callerOf({ sub, jti, 'kubernetes.io': { namespace, serviceaccount, pod, node } }: Claims): Caller {
  return {
    name: sub,
    uid: serviceaccount.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {
      [`${extraKey}/credential-id`]: [`JTI=${jti}`],
      ...(node ? { [`${extraKey}/node-name`]: [node.name] } : {}),
      ...(node?.uid ? { [`${extraKey}/node-uid`]: [node.uid] } : {}),
      ...(pod ? { [`${extraKey}/pod-name`]: [pod.name], [`${extraKey}/pod-uid`]: [pod.uid] } : {}),
    },
  };
}
