import type { ChangeSetEntry } from '../../drift/change-set.js';
import { correctedOf } from '../../drift/corrected.js';
import type { Difference } from '../../drift/difference.js';
import type { DriftPolicy } from '../../drift/drift-policy.js';
import { droppedFields } from '../../drift/dropped.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import type { KubeObject } from '../../kube/manifest.js';
import { applyChild } from './apply-child.js';
import { deleteAsSeen } from './delete-as-seen.js';
import { notedWrites, type Writing } from './noted-writes.js';
import { immutableFields } from './refused-anew.js';
import { refusalOf, whoseItIs } from './refused-error.js';
import { unquoted } from './unquoted.js';
import { writeMetadata } from './write-metadata.js';

/** What carrying out a step gave. `object` is the server's answer to a write. */
export interface Executed {
  readonly entry: ChangeSetEntry;
  readonly object?: KubeObject;
  readonly error?: Error;
  /** What failed is the deletion of what is wanted no more. */
  readonly isPrune?: boolean;
  /** The fields that may be written once, for which the server refused an apply. */
  readonly immutable?: readonly string[];
  /** How the writes left a child of which the last one failed. */
  readonly left?: readonly KubeObject[];
  /** It was to be adopted, and whoever had something of it has it again. */
  readonly isGivenBack?: boolean;
}

interface Execution extends Writing {
  /** Of what is sensitive the server's words are not told. */
  readonly policy: DriftPolicy;
  /** By what words the same was refused the last time. */
  readonly lastWords?: string | undefined;
}

/** Carries out one step of a plan. Decides nothing; what fails is in the result, so that other children go on. */
export async function execute(step: Step, execution: Execution): Promise<Executed> {
  const warnings: string[] = [];
  const left: KubeObject[] = [];
  const noting = { ...execution, cluster: notedWrites(execution.cluster, left) };
  const came = await carriedOut(step, noting, left, (more) => warnings.push(...more));
  const executed = came.error && left.length > 0 ? { ...came, left } : came;
  const dropped = droppedBy(step, executed, execution);
  // They may quote what they warn of.
  if (warnings.length + dropped.length === 0 || execution.policy.hasSensitive(refOfStep(step))) return executed;
  const told = { ...(warnings.length > 0 ? { warnings } : {}), ...(dropped.length > 0 ? { dropped } : {}) };
  return { ...executed, entry: { ...executed.entry, ...told } };
}

function droppedBy(step: Step, { object }: Executed, { manager }: Execution): readonly string[] {
  if (!object || (step.type !== 'create' && step.type !== 'apply')) return [];
  return droppedFields(step.manifest, object, manager);
}

async function carriedOut(
  step: Step,
  execution: Execution,
  left: readonly KubeObject[],
  warned: (warnings: readonly string[]) => void,
): Promise<Executed> {
  const { cluster, manager, resource, policy, signal } = execution;
  const ref = refOfStep(step);
  const write = { fieldManager: manager, fieldValidation: 'Strict', signal, warned } as const;
  let isGivenBack = false;
  const verb = step.type === 'prune' ? 'delete' : step.type === 'retain' ? 'patch' : step.type;
  const told = (error: unknown) => (policy.hasSensitive(ref) ? unquoted(error, ref, verb) : error) as Error;
  try {
    switch (step.type) {
      case 'keep':
        return { entry: { ref, action: 'unchanged', ...reportedBy(step) } };
      case 'leave':
        return { entry: { ref, action: 'skipped', because: `its mode is ${step.mode}`, ...reportedBy(step) } };
      case 'hold':
        return { entry: { ref, action: 'skipped', because: 'it is fought over', ...reportedBy(step) } };
      case 'wait':
        return { entry: { ref, action: 'skipped', because: 'it is being deleted' } };
      case 'refuse':
        return { entry: { ref, action: 'skipped', because: whoseItIs(step) }, error: refusalOf(step) };
      case 'create':
        // A POST refuses what exists, so that nobody's object is taken over by mistake.
        return { entry: { ref, action: 'created' }, object: await cluster.create(resource, step.manifest, write) };
      case 'apply': {
        const isToldAlready = (error: unknown) => told(error).message === execution.lastWords;
        const gaveBack = () => {
          isGivenBack = true;
        };
        const object = await applyChild(step, { ...execution, write, left, isToldAlready, gaveBack });
        if (step.adopted) return { entry: { ref, action: 'adopted', ...reportedBy(step) }, object };
        const drift = correctedOf(step.drift, { before: step.observed, desired: step.manifest, after: object });
        return drift.length > 0
          ? { entry: { ref, action: 'corrected', drift, ...reportedBy(step) }, object }
          : { entry: { ref, action: 'configured', ...reportedBy(step) }, object };
      }
      case 'retain': {
        const object = step.rebound && (await writeMetadata(step.observed, step.rebound, execution));
        if (object) return { entry: { ref, action: 'configured' }, object };
        return { entry: { ref, action: 'skipped', because: 'it is no longer desired, and retained' } };
      }
      case 'prune':
        await deleteAsSeen(step.observed, execution);
        return { entry: { ref, action: 'pruned' } };
    }
  } catch (thrown) {
    const error = told(thrown);
    // By the words that are not told.
    const immutable = step.type === 'apply' ? await immutableFields(step.manifest, thrown, execution) : [];
    return {
      entry: { ref, action: 'skipped', because: error.message },
      error,
      ...(immutable.length > 0 ? { immutable } : {}),
      ...(isGivenBack ? { isGivenBack } : {}),
    };
  }
}

function reportedBy({ reported }: { readonly reported: readonly Difference[] }): Pick<ChangeSetEntry, 'reported'> {
  return reported.length === 0 ? {} : { reported };
}
