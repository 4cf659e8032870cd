import type { Manifest } from '../../kube/manifest.js';

/** What the process that runs an author's code tells the one that runs the cluster. */
export type FromController =
  | { readonly type: 'loaded'; readonly operators: readonly string[]; readonly install: Install }
  | { readonly type: 'refused'; readonly message: string; readonly hint?: string }
  /** Its stores are filled: from now on it reconciles. */
  | { readonly type: 'running' };

export type ToController = { readonly type: 'run'; readonly connection: Connection } | { readonly type: 'stop' };

/** What has to be in the cluster before the controller runs, and as whom it does. */
export interface Install {
  readonly manifests: readonly Manifest[];
  readonly account: { readonly namespace: string; readonly name: string };
}

export interface Connection {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}
