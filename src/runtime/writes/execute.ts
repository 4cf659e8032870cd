import { InvalidError, isGone } from '../../client/api-error.js';
import type { ChangeSetEntry } from '../../drift/change-set.js';
import { inTheWay, leftOverIn, placesOf } from '../../drift/claimed.js';
import { correctedOf } from '../../drift/corrected.js';
import { derivedIn } from '../../drift/derived.js';
import type { Difference } from '../../drift/difference.js';
import type { DriftPolicy } from '../../drift/drift-policy.js';
import { emptiedIn, withoutEmptied } from '../../drift/emptied.js';
import { outdated, withAppliedHash } from '../../drift/hash.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { giveBack } from './give-back.js';
import { immutableIn } from './immutable.js';
import { notedWrites, type Writes } from './noted-writes.js';
import { own } from './own-fields.js';
import { refuseInVain } from './refuse-in-vain.js';
import { causesOf, immutableFields, isInvalidAlone } from './refused-anew.js';
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

interface Execution {
  readonly cluster: Writes;
  readonly manager: string;
  readonly resource: ApiResource;
  /** Of what is sensitive the server's words are not told. */
  readonly policy: DriftPolicy;
  readonly signal: AbortSignal;
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
  // They may quote what they warn of.
  if (warnings.length === 0 || execution.policy.hasSensitive(refOfStep(step))) return executed;
  return { ...executed, entry: { ...executed.entry, warnings } };
}

async function carriedOut(
  step: Step,
  execution: Execution,
  left: readonly KubeObject[],
  warned: (warnings: readonly string[]) => void,
): Promise<Executed> {
  const { cluster, manager, resource, policy, signal } = execution;
  const ref = refOfStep(step);
  const target = placeOf(ref);
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
        const { claim } = step;
        // With its uid an apply is refused where the object is another by now, and where it is gone: it never creates one.
        const { uid } = step.observed.metadata;
        const manifest = { ...step.manifest, metadata: { ...step.manifest.metadata, uid } };
        const isOurFault = (error: InvalidError) => isInvalidAlone(step.manifest, error, execution);
        // What the whole way there did not help against the last time is not gone through again.
        const isVain = async (error: InvalidError) =>
          told(error).message === execution.lastWords || (await isOurFault(error));
        if (step.adopted) await refuseInVain(manifest, execution, isVain);
        // What is put back is as it was when the server worked that out.
        const derived = step.drift.length > 0 ? [] : derivedIn(step.observed, manifest, manager);
        const isOwned = !step.fold && claim.length + derived.length === 0;
        const found = isOwned ? step.observed : await own(step.observed, claim, execution, derived);
        const emptied = emptiedIn(manifest, found, manager);
        let isApplied = false;
        const once = async (said: Manifest) => {
          const object = await cluster.apply(resource, said, { ...write, force: true });
          isApplied = true;
          return object;
        };
        const apply = async () => {
          if (emptied.length > 0) {
            await own(found, [], execution, [], emptied).catch(async (error: unknown) => {
              // Beside what there was it may not be empty. Then it is not there at first, which nobody desires.
              if (!(error instanceof InvalidError)) throw error;
              await once(withAppliedHash(withoutEmptied(manifest, emptied), outdated));
            });
          }
          return once(manifest);
        };
        const made = apply().catch(async (error: unknown) => {
          if (!(error instanceof InvalidError)) throw error;
          const fields = causesOf(error).flatMap(({ field }) => field ?? []);
          const changeable = fields.filter((field) => !immutableIn(error).includes(field));
          const isUnowned = (found.metadata.managedFields ?? []).length === 0;
          const trails = isUnowned
            ? placesOf(fields)
            : inTheWay(step.removable(), changeable, step.manifest).map(({ trail }) => trail);
          const leftOver = isUnowned ? [] : leftOverIn(found, step.manifest, fields, trails);
          if (trails.length + leftOver.length === 0 || (await isOurFault(error))) throw error;
          // Whose managed fields somebody reset, the server says that all is nobody's, once somebody applies to it.
          const seen = isUnowned
            ? await cluster.apply(resource, nothingOf(step.observed), { ...write, force: true })
            : found;
          await own(seen, trails, execution, leftOver);
          return once(manifest);
        });
        const { adopted, former } = step;
        const object = await made.catch(async (error: unknown) => {
          const now = left.at(-1);
          if (former && now && !isApplied) isGivenBack = await giveBack(former, now, emptied, error, execution);
          throw error;
        });
        if (adopted) return { entry: { ref, action: 'adopted', ...reportedBy(step) }, object };
        const drift = correctedOf(step.drift, { before: step.observed, desired: manifest, after: object });
        return drift.length > 0
          ? { entry: { ref, action: 'corrected', drift, ...reportedBy(step) }, object }
          : { entry: { ref, action: 'configured', ...reportedBy(step) }, object };
      }
      case 'retain': {
        const object = step.rebound && (await writeMetadata(step.observed, step.rebound, execution));
        if (object) return { entry: { ref, action: 'configured' }, object };
        return { entry: { ref, action: 'skipped', because: 'it is no longer desired, and retained' } };
      }
      case 'prune': {
        // Just as it was looked at, as the garbage collector does: what is somebody else's by now stays.
        const { uid, resourceVersion } = step.observed.metadata;
        await cluster
          .delete(resource, target, { uid, resourceVersion, propagationPolicy: 'Background', signal })
          .catch((error: unknown) => {
            // What was to be pruned is gone already. A conflict may be more than another object of that name.
            if (!isGone(error)) throw error;
          });
        return { entry: { ref, action: 'pruned' } };
      }
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

/** An apply of it says and takes nothing. */
function nothingOf({ apiVersion, kind, metadata: { name, namespace, uid } }: KubeObject): Manifest {
  return { apiVersion, kind, metadata: { ...placeOf({ name, namespace }), uid } };
}
