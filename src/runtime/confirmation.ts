import { ConflictError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import { refOfStep, type Step } from '../drift/plan.js';
import type { ApiResource } from '../kube/api-resource.js';
import { deletionPolicyOf } from '../kube/deletion-policy.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../kube/object-ref.js';
import { asksStill, isAsKnown, namesakeOf } from './author/is-as-known.js';
import { asksTheSame } from './author/known-code.js';
import type { WatchedKind } from './informer/watched-kind.js';
import { statusOf } from './status/own-status.js';
import { hasFinalizer, isForced } from './writes/finalizer.js';
import type { OwnWrites } from './writes/own-writes.js';

/** The API server has another state than a plan was made of: the store was late, which is nobody's fault but its watch's. */
export class LateStoreError extends ConflictError {
  override readonly name: string = 'LateStoreError';

  constructor(what: string) {
    super(`${what} has changed since it was read`);
  }
}

/** What the API server itself says of what a custom resource reads. */
export interface InputsNow {
  /** The keys of the children that follow from it. Asks again where that has changed. */
  desired(signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Whether the child follows from it just as it was composed. Asks as `desired` does. */
  isDesired(child: ObjectRef, signal: AbortSignal): Promise<boolean>;
  /** Whether it is what the plan was made of. What was so once is not asked for again. */
  areVouched(signal: AbortSignal): Promise<boolean>;
}

/** Who is asked. */
interface Witnesses {
  readonly cluster: Cluster;
  readonly resource: ApiResource;
  readonly custom: Pick<WatchedKind, 'get' | 'missed'>;
  readonly inputsNow: InputsNow;
}

/** A `Confirmation` of what a plan was made of, about the custom resource as it is held by now. */
export type Confirming = (cr: KubeObject) => Confirmation;

export function confirming(witnesses: Witnesses, signal: AbortSignal): Confirming {
  return (cr) => new Confirmation(cr, witnesses, signal);
}

/**
 * What the API server itself says of the state that a plan was made of, asked once: stores may be late without knowing, those
 * of a standby which has just come to lead, for instance. What a watch tells after that counts as well.
 */
export class Confirmation {
  #isConfirmed: boolean | undefined;

  constructor(
    private readonly cr: KubeObject,
    private readonly server: Witnesses,
    private readonly signal: AbortSignal,
  ) {}

  /** Throws a `LateStoreError` unless the API server has the custom resource as it was composed, as far as is known by now. */
  async customResource(): Promise<void> {
    this.#isConfirmed ??= await isAsKnown(this.cr, this.server, this.signal);
    if (!this.#isConfirmed || this.#isPast) throw new LateStoreError(show(refOf(this.cr)));
  }

  /** True where the watch has told meanwhile that something else is asked for, which may be long after the API server was asked. */
  get #isPast(): boolean {
    const { namespace, name } = this.cr.metadata;
    const now = this.server.custom.get(namespace, name)?.metadata;
    return now === undefined || !asksStill(this.cr.metadata, now);
  }

  /** Throws a `LateStoreError` where `steps` delete one of the children that follow from its inputs, or do not know of it. */
  async prunes(steps: readonly Step[]): Promise<void> {
    this.#refuseLate(!lacksAnyOf(await this.server.inputsNow.desired(this.signal), steps));
  }

  /** Throws a `LateStoreError` unless `child`, which can only be made anew, is to be so by its inputs. */
  async anew(child: ObjectRef): Promise<void> {
    await this.customResource();
    this.#refuseLate(await this.server.inputsNow.isDesired(child, this.signal));
  }

  /** Throws a `LateStoreError` where the stores are not known to have what is read as it was when they were asked last. */
  async inputs(): Promise<void> {
    this.#refuseLate(await this.server.inputsNow.areVouched(this.signal));
  }

  #refuseLate(areKnown: boolean): void {
    if (!areKnown) throw new LateStoreError(`what ${show(refOf(this.cr))} reads`);
  }
}

/**
 * Once in the life of a process: its first stores may be late, and nothing tells so. Throws as `Confirmation` does unless the API
 * server has, or had before, the custom resource as it was known, and what that reads. `isWritten`: it took a write of it just now.
 */
export async function vouched(
  key: string,
  writes: Pick<OwnWrites, 'isVouched' | 'vouch' | 'areInputsVouched' | 'vouchInputs'>,
  confirmation: Confirmation,
  isWritten = false,
): Promise<void> {
  if (isWritten) writes.vouch(key);
  if (!writes.isVouched(key)) await confirmation.customResource();
  writes.vouch(key);
  await vouchedInputs(key, writes, confirmation);
}

/** The same of its inputs alone. */
export async function vouchedInputs(
  key: string,
  writes: Pick<OwnWrites, 'areInputsVouched' | 'vouchInputs'>,
  confirmation: Confirmation,
): Promise<void> {
  if (!writes.areInputsVouched(key)) await confirmation.inputs();
  writes.vouchInputs(key);
}

/**
 * True for a step that may follow from an older edit than the one that the last leader acted on. Where nobody has acted yet,
 * as the status and the absence of children tell, all children are created without asking: what is new costs no extra request.
 */
export function isDoubtful(
  step: Step,
  { cr, steps }: { readonly cr: KubeObject; readonly steps: readonly Step[] },
): boolean {
  if (step.type === 'retain') return step.rebound !== undefined;
  if (step.type !== 'create') return step.type === 'apply';
  return isBeyondReach(step) || !isUntouched({ cr, steps });
}

/** True for what is made where no garbage collector takes it away again for an owner that is gone. */
export function isBeyondReach(step: Step): boolean {
  return step.type === 'create' && step.manifest.metadata.ownerReferences === undefined;
}

/**
 * Nobody need ask for the inputs of one for which nobody has acted yet: nothing that follows from them can be older than what is
 * there. But for what is made where no owner reference reaches, or outside the cluster, of which no garbage collector knows.
 */
export function vouchNew(
  key: string,
  writes: Pick<OwnWrites, 'vouchInputs'>,
  { external }: Pick<Operator, 'external'>,
  about: { readonly cr: KubeObject; readonly steps: readonly Step[] },
): void {
  const isUnsure = Object.keys(external).length > 0 || about.steps.some((step) => isDoubtful(step, about));
  if (!isUnsure && isUntouched(about)) writes.vouchInputs(key);
}

function isUntouched({ cr, steps }: { readonly cr: KubeObject; readonly steps: readonly Step[] }): boolean {
  return statusOf(cr)['observedGeneration'] === undefined && !steps.some((each) => 'observed' in each);
}

/**
 * Throws a `LateStoreError` unless by the API server, too, `cr` is being deleted, waits for us, and all that it has outside the
 * cluster is to go with it: another may have its name by now, whose it is.
 */
export async function confirmEnd(
  cr: KubeObject,
  { cluster, resource }: { readonly cluster: Cluster; readonly resource: ApiResource },
  signal: AbortSignal,
): Promise<void> {
  const { uid } = cr.metadata;
  const now = await namesakeOf(cr, { cluster, resource }, signal);
  const isSame = now?.metadata.uid === uid && hasFinalizer(now);
  if (isSame && deletionPolicyOf(now) === 'delete' && !isForced(now)) return;
  throw new LateStoreError(show(refOf(cr)));
}

/**
 * Throws a `LateStoreError` unless by the API server, too, what is asked for by `cr`, which is being deleted, is what it asked for
 * as it was looked at, or asks for by now, as `latest` has it.
 */
export async function confirmAsked(
  cr: KubeObject,
  latest: () => KubeObject,
  server: { readonly cluster: Cluster; readonly resource: ApiResource },
  signal: AbortSignal,
): Promise<void> {
  const now = await namesakeOf(cr, server, signal);
  if (now && [cr, latest()].some(({ metadata }) => asksTheSame(metadata, now.metadata))) return;
  throw new LateStoreError(show(refOf(cr)));
}

function lacksAnyOf(desired: ReadonlySet<string>, steps: readonly Step[]): boolean {
  const left = steps.filter(({ type }) => type !== 'prune' && type !== 'retain');
  const planned = new Set(left.map((step) => keyOf(refOfStep(step))));
  return [...desired].some((key) => !planned.has(key));
}
