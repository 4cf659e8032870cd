import { AlreadyExistsError, ApiError, InvalidError, isOfServer } from '../../client/api-error.js';
import { type Cause, shareCause } from '../../drift/claimed.js';
import type { Manifest } from '../../kube/manifest.js';
import { immutableIn } from './immutable.js';
import type { Writing } from './noted-writes.js';

export function causesOf({ status }: InvalidError) {
  return status?.details?.causes ?? [];
}

/** The fields for which nothing helps but to make a child anew, which helps only where the server would take the new one. */
export async function immutableFields(
  manifest: Manifest,
  error: unknown,
  writing: Writing,
): Promise<readonly string[]> {
  const fields = immutableIn(error);
  if (!(error instanceof InvalidError) || fields.length === 0) return [];
  // By words alone nothing is known: a value may be in them that says so. Whoever has no answer is told what was refused.
  const refusal = await refusalOfNew(manifest, writing).catch((thrown: unknown) => thrown);
  return isTakenAnew(refusal, causesOf(error)) ? fields : [];
}

/**
 * True when all that is against a new child is the old one, which has its name, or a port or an address. Whatever else is
 * refused would be refused when the old one is gone, by a policy that is newer than it, or a quota that is full.
 */
function isTakenAnew(refusal: unknown, refused: readonly Cause[]): boolean {
  if (refusal === undefined || refusal instanceof AlreadyExistsError) return true;
  if (!(refusal instanceof InvalidError)) return false;
  const causes = causesOf(refusal);
  const isHeld = ({ field = '', message = '' }: Cause) => field !== '' && message.includes('already allocated');
  return causes.length > 0 && causes.every(isHeld) && !shareCause(refused, causes);
}

/**
 * True when the server refuses a child for the same reason where nothing of others is beside it: then it is what is desired
 * that is wrong, and nobody is in its way.
 */
export async function isInvalidAlone(manifest: Manifest, error: InvalidError, writing: Writing): Promise<boolean> {
  const refusal = await refusalOfNew(manifest, writing);
  if (!(refusal instanceof InvalidError)) return false;
  return (
    shareCause(causesOf(error), causesOf(refusal)) ||
    (isDenied(error) && refusal.status?.message === error.status?.message)
  );
}

/** By a webhook or a policy, which need not say of which field. What takes no dry runs denies nothing. */
function isDenied({ status }: InvalidError): boolean {
  return / denied (the )?request: /.test(status?.message ?? '');
}

/** Why the server would not take a child that is new, or undefined where it would. Throws where that has no answer. */
async function refusalOfNew(
  manifest: Manifest,
  { cluster, manager, resource, signal }: Writing,
): Promise<ApiError | undefined> {
  try {
    // Whether it is valid is asked before whether it is there.
    await cluster.create(resource, manifest, {
      fieldManager: manager,
      fieldValidation: 'Strict',
      dryRun: true,
      signal,
    });
    return undefined;
  } catch (error) {
    // Without an answer nothing is taken from anybody.
    if (!(error instanceof ApiError) || isOfServer(error)) throw error;
    return error;
  }
}
