import type { Step } from '../../drift/plan.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { ObjectRef } from '../../kube/object-ref.js';
import type { Confirming } from '../confirmation.js';
import type { Unmet } from '../status/status.js';
import type { Executed } from './execute.js';

/** A plan that is to be carried out, with all there is to know of it. */
export interface Job {
  readonly key: string;
  readonly cr: KubeObject;
  readonly steps: readonly Step[];
  /** Which of them a namespace does not consent to, and why. */
  readonly unwanted: ReadonlyMap<Step, Error>;
  readonly confirmation: Confirming;
  /**
   * Called before each step. What it returns is called after it, and resolves with the custom resource as it is then, with
   * nothing under way. Never rejects.
   */
  beside(sofar: Done): () => Promise<KubeObject>;
  /** False where a plan that prunes is not to be trusted. */
  readonly isPruning: boolean;
  /** What has to be ready before a child is written, by the key of the child. */
  readonly needs?: ReadonlyMap<string, readonly ObjectRef[]> | undefined;
}

/** How far it has come. */
export interface Done {
  readonly executed: readonly Executed[];
  /** The custom resource after whatever was written to it. */
  readonly cr: KubeObject;
  /** What could not be done yet, and goes on by itself. */
  readonly unmet?: Unmet;
}
