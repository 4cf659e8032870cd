import { randomBytes } from 'node:crypto';
import type { KubeObject } from '../../kube/manifest.js';
import { newTokenKey } from '../auth/json-web-token.js';
import { type Certificates, loopbackCertificates } from '../http/certificates.js';

/** What is stored in a cluster at one moment. */
export interface StoredObjects {
  /** The counter of changes: newer than any resourceVersion among the objects, or as new. */
  readonly revision: number;
  readonly objects: Iterable<readonly [resource: string, object: KubeObject]>;
}

/** By what a cluster and its clients know each other. While it stays the same, kubeconfigs and tokens stay good. */
export interface ClusterIdentity {
  readonly certificates: Certificates;
  /** Signs the tokens of ServiceAccounts: a private key, PEM. */
  readonly tokenKey: string;
  readonly adminToken: string;
  /** Where it was last served. */
  readonly port?: number;
}

/** All that outlives the process of a cluster. */
export interface ClusterState extends StoredObjects {
  readonly identity: ClusterIdentity;
  /**
   * Whether these were its last words. After any other moment it may have told of changes that are not here, and
   * nothing may be called by their numbers again.
   */
  readonly isEnd: boolean;
}

/** An identity that no other cluster has. */
export function newIdentity(now: number): ClusterIdentity {
  return {
    certificates: loopbackCertificates(now),
    tokenKey: newTokenKey(),
    adminToken: randomBytes(16).toString('hex'),
  };
}
