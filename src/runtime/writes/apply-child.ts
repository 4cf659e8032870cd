import { ForbiddenError, InvalidError } from '../../client/api-error.js';
import type { WriteOptions } from '../../client/cluster.js';
import { isBoundAs } from '../../drift/belonging.js';
import { inTheWay, leftOverIn, placesOf, sameKeyIn } from '../../drift/claimed.js';
import { derivedIn } from '../../drift/derived.js';
import { type Emptied, emptiedIn, withoutEmptied } from '../../drift/emptied.js';
import { outdated, withAppliedHash } from '../../drift/hash.js';
import { entriesOf } from '../../drift/ownership.js';
import type { Step } from '../../drift/plan.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { giveBack } from './give-back.js';
import { immutableIn } from './immutable.js';
import type { Writing } from './noted-writes.js';
import { own } from './own-fields.js';
import { refuseInVain } from './refuse-in-vain.js';
import { causesOf, isInvalidAlone } from './refused-anew.js';

type ApplyStep = Extract<Step, { readonly type: 'apply' }>;
type Apply = (said: Manifest) => Promise<KubeObject>;

interface Applying extends Writing {
  readonly write: WriteOptions;
  /** How the writes so far left the child. */
  readonly left: readonly KubeObject[];
  /** Whether the same was refused by these words the last time. */
  isToldAlready(error: InvalidError): boolean;
  /** It was to be adopted, and whoever had something of it has it again. */
  gaveBack(): void;
}

/**
 * Applies a child that is there, and answers it as it is then. What an apply alone would leave behind is made ours before, so that
 * it goes; what others have there is taken from them only where the server refuses what is desired for it, and given back where
 * it refuses an adoption all the same.
 */
export async function applyChild(step: ApplyStep, applying: Applying): Promise<KubeObject> {
  const { cluster, manager, resource, write, left } = applying;
  const { claim, observed, former } = step;
  // With its uid an apply is refused where the object is another by now, and where it is gone: it never creates one.
  const { uid } = observed.metadata;
  const manifest = { ...step.manifest, metadata: { ...step.manifest.metadata, uid } };
  const isOurFault = (error: InvalidError) => isInvalidAlone(step.manifest, error, applying);
  // What the whole way there did not help against the last time is not gone through again.
  const isVain = async (error: InvalidError) => applying.isToldAlready(error) || (await isOurFault(error));
  if (step.adopted) await refuseInVain(manifest, applying, isVain);
  // What is put back is as it was when the server worked that out.
  const derived = step.drift.length > 0 ? [] : derivedIn(observed, manifest, manager);
  const isOwned = !step.fold && claim.length + derived.length === 0;
  const isAsNoted = step.isAsNoted && claim.length + derived.length === 0;
  let isApplied = false;
  // What nobody has may be taken by another custom resource in the same moment. By the uid alone it would be taken from that.
  const isTaken = !isBoundAs(step.manifest, observed);
  const apply: Apply = async (said) => {
    const { resourceVersion } = (left.at(-1) ?? observed).metadata;
    const seen = isTaken ? { ...said, metadata: { ...said.metadata, resourceVersion } } : said;
    const object = await cluster.apply(resource, seen, { ...write, force: true });
    isApplied = true;
    return object;
  };
  const owned = (object: KubeObject) => own(object, claim, applying, derived, [], { isAsNoted });
  const found = isOwned
    ? observed
    : await owned(observed).catch(async (error: unknown) => {
        if (!isRefused(error)) throw error;
        // A policy that came later may refuse all that is written to the child as it is, and not as it is to be.
        return owned(await apply(withAppliedHash(manifest, outdated)));
      });
  const emptied = emptiedIn(manifest, found, manager);
  try {
    return await applyEmptying(emptied, found, manifest, apply, applying).catch(async (error: unknown) => {
      if (!(error instanceof InvalidError)) throw error;
      const { trails, leftOver } = whatIsInTheWay(step, found, error);
      if (trails.length + leftOver.length === 0 || (await isOurFault(error))) throw error;
      // Whose managed fields somebody reset, the server says that all is nobody's, once somebody applies to it.
      const seen = isUnowned(found)
        ? await cluster.apply(resource, nothingOf(observed), { ...write, force: true })
        : found;
      await own(seen, trails, applying, leftOver);
      return apply(manifest);
    });
  } catch (error) {
    const now = left.at(-1);
    if (former && now && !isApplied && (await giveBack(former, now, emptied, error, applying))) applying.gaveBack();
    throw error;
  }
}

/** Applies `manifest` to `found`, of which that leaves null what is to be empty: it is emptied before. */
async function applyEmptying(
  emptied: readonly Emptied[],
  found: KubeObject,
  manifest: Manifest,
  apply: Apply,
  applying: Applying,
): Promise<KubeObject> {
  if (emptied.length > 0) {
    await own(found, [], applying, [], emptied).catch(async (error: unknown) => {
      // Beside what there was it may not be empty, be it to a policy. Then it is not there at first, which nobody desires.
      if (!isRefused(error)) throw error;
      await apply(withAppliedHash(withoutEmptied(manifest, emptied), outdated));
    });
  }
  return apply(manifest);
}

/** What others have, and what is left over of nobody's, for which the server refuses what is desired of `found`. */
function whatIsInTheWay(step: ApplyStep, found: KubeObject, error: InvalidError) {
  const fields = causesOf(error).flatMap(({ field }) => field ?? []);
  if (isUnowned(found)) return { trails: placesOf(fields), leftOver: [] };
  const changeable = fields.filter((field) => !immutableIn(error).includes(field));
  const removable = step.removable();
  const trails = [
    ...inTheWay(removable, changeable, step.manifest).map(({ trail }) => trail),
    ...sameKeyIn(removable, changeable),
  ];
  return { trails, leftOver: leftOverIn(found, step.manifest, fields, trails) };
}

/** By the server, or by who is asked for his consent. */
function isRefused(error: unknown): boolean {
  return error instanceof InvalidError || error instanceof ForbiddenError;
}

function isUnowned(object: KubeObject): boolean {
  return entriesOf(object).length === 0;
}

/** An apply of it says and takes nothing. */
function nothingOf({ apiVersion, kind, metadata: { name, namespace, uid } }: KubeObject): Manifest {
  return { apiVersion, kind, metadata: { ...placeOf({ name, namespace }), uid } };
}
