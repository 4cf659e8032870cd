import { createHash } from 'node:crypto';
import type { Cluster } from '../../../client/cluster.js';
import type { ApiResource } from '../../../kube/api-resource.js';
import type { Clock } from '../../../kube/clock.js';
import type { KubeObject } from '../../../kube/manifest.js';
import { type Log, wordsOfError } from '../log.js';
import { putLatest } from '../put-latest.js';
import { ToldTrouble } from '../told-trouble.js';

export interface AccessOptions {
  /** Who says whose a token is and what its owner may do. A connection of its own, which no other work holds up. */
  readonly reviewer: Pick<Cluster, 'create'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What could not be done, as who asked is told. */
type Step = 'Authentication failed' | 'Authorization failed';

/** May go on, or an HTTP status and what to say. */
export type Access = { readonly code: 200 } | { readonly code: 401 | 403 | 429 | 500; readonly text: string };

const tokenReviews: ApiResource = {
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};
const accessReviews: ApiResource = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

/** Shorter than the shortest token lives. A right that was taken away ends after this long; one that was given begins sooner. */
const allowedMilliseconds = 60_000;
const refusedMilliseconds = 10_000;
/** Bounds for those who try tokens: verdicts remembered of either kind, and reviews under way. */
const mostVerdicts = 1000;
const mostReviews = 16;
const reviewSeconds = 10;

/** Who a token belongs to: https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-review-v1/ */
interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Lets in who may, by the API server's judgement: a TokenReview says who asks, a SubjectAccessReview whether they may.
 * It is what kube-rbac-proxy did from outside, and controller-runtime does in process.
 *
 * **Guarantees.** Never open: without a token, with a wrong one, and while the API server does not answer, nobody is let
 * in. Verdicts hold for a minute at most, and failures of the reviewer not at all. Who was let in once waits for
 * nobody who tries tokens. Tokens are kept as hashes.
 */
export class MetricsAccess {
  /** Until when each that was let in is so without a question; it is remembered longer. */
  readonly #allowed = new Map<string, number>();
  readonly #refused = new Map<string, { readonly access: Access; readonly until: number }>();
  readonly #reviews = new Map<string, Promise<Access>>();
  /** Each scrape asks anew, and so does anybody who shows a token. */
  readonly #trouble: Readonly<Record<Step, ToldTrouble>>;

  constructor(private readonly options: AccessOptions) {
    const { clock } = options;
    this.#trouble = { 'Authentication failed': new ToldTrouble(clock), 'Authorization failed': new ToldTrouble(clock) };
  }

  /** Whether the bearer of `authorization` may `verb` (`get`) the path. */
  async judge(authorization: string | undefined, verb: string, path: string): Promise<Access> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return unauthorized;
    const key = createHash('sha256')
      .update(JSON.stringify([token, verb, path]))
      .digest('base64');
    const now = this.options.clock.monotonic();
    const allowedUntil = this.#allowed.get(key);
    if (allowedUntil !== undefined && now < allowedUntil) return letIn;
    const refused = this.#refused.get(key);
    if (refused && now < refused.until) return refused.access;

    const underWay = this.#reviews.get(key);
    if (underWay !== undefined) return underWay;
    // Not for whom was let in before.
    if (allowedUntil === undefined && this.#reviews.size >= mostReviews)
      return { code: 429, text: 'Too many requests' };
    const review = this.#review(token, verb, path).finally(() => this.#reviews.delete(key));
    this.#reviews.set(key, review);
    const access = await review;
    if (access.code !== 500) this.#remember(key, access);
    return access;
  }

  async #review(token: string, verb: string, path: string): Promise<Access> {
    let step: Step = 'Authentication failed';
    try {
      const { authenticated, user } = await this.#ask<{ authenticated?: boolean; user?: User }>(tokenReviews, {
        token,
      });
      this.#works(step);
      if (authenticated !== true || !user?.username) return unauthorized;
      step = 'Authorization failed';
      const { username, uid, groups, extra } = user;
      const { allowed, denied } = await this.#ask<{ allowed?: boolean; denied?: boolean }>(accessReviews, {
        user: username,
        ...(uid === undefined ? {} : { uid }),
        ...(groups === undefined ? {} : { groups }),
        ...(extra === undefined ? {} : { extra }),
        nonResourceAttributes: { path, verb },
      });
      this.#works(step);
      if (allowed === true && denied !== true) return letIn;
      return { code: 403, text: `"${username}" may not ${verb} ${path}` };
    } catch (error) {
      this.#fails(step, error);
      return { code: 500, text: step };
    }
  }

  #fails(step: Step, error: unknown): void {
    const { log } = this.options;
    const words = { step, ...wordsOfError(error) };
    if (this.#trouble[step].failed(error)) log.error('Failed to review a request for metrics', words);
    else log.debug('Failed to review a request for metrics again', words);
  }

  #works(step: Step): void {
    const seconds = this.#trouble[step].over();
    if (seconds !== undefined) this.options.log.info('Reviewed a request for metrics again', { step, seconds });
  }

  /** The status of a review. What is no review at all is an error, and not a refusal. */
  async #ask<T>(resource: ApiResource, spec: object): Promise<T> {
    const { apiVersion, kind } = resource;
    const answer: KubeObject & { readonly status?: T } = await this.options.reviewer.create(
      resource,
      // Reviews have no name.
      { apiVersion, kind, metadata: { name: '' }, spec },
      { fieldManager: 'kilter-metrics', timeoutSeconds: reviewSeconds },
    );
    if (typeof answer.status !== 'object' || answer.status === null) {
      throw new Error(`the API server's answer to a ${kind} has no status`);
    }
    return answer.status;
  }

  #remember(key: string, access: Access): void {
    const now = this.options.clock.monotonic();
    const isAllowed = access.code === 200;
    (isAllowed ? this.#refused : this.#allowed).delete(key);
    if (isAllowed) putLatest(this.#allowed, key, now + allowedMilliseconds, mostVerdicts);
    else putLatest(this.#refused, key, { access, until: now + refusedMilliseconds }, mostVerdicts);
  }
}

const letIn: Access = { code: 200 };
const unauthorized: Access = { code: 401, text: 'Unauthorized' };
