import { InvalidError } from '../../client/api-error.js';
import { type ApiResource, groupKindOf, groupOf } from '../../kube/api-resource.js';
import { dataKinds } from '../../kube/data-kinds.js';
import { TerminalError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';

/** The words of the API server for a field that may be written once. Kinds differ; none of them has a reason of its own. */
const words =
  /immutable|(may not|cannot) (be changed|change)|updates to .* (are )?forbidden|is not allowed to change|cannot be (set once created|(cleared|modified) once set)|item may not be (added|removed)/i;

/** What the server says may be changed in a field that it names as a whole: of a StatefulSet `spec`, and nothing in it. */
const changeable = /(?:fields other than|immutable after creation except) ([^`\n]+?)(?: are forbidden)?(?:\n|$)/;

/** Of what the server refuses: the fields that it seems to refuse to change, as it names them, and what of them may change. */
export function immutableIn(error: unknown): readonly string[] {
  const causes = error instanceof InvalidError ? (error.status?.details?.causes ?? []) : [];
  return causes.flatMap(({ field = 'a field', message = '' }) => {
    if (!words.test(message)) return [];
    const [, rest] = changeable.exec(message) ?? [];
    return [rest === undefined ? field : `${field} (but for ${rest})`];
  });
}

/** A field of a child that may be written once is to change. Only a person, or `recreate`, can help. */
export class ImmutableError extends TerminalError {
  override readonly name = 'ImmutableError';
}

/** Where a person agrees that the data of a child goes: a list of `Kind/name`, by commas. */
function dataLossConsent({ apiVersion }: { readonly apiVersion: string }): string {
  return `${groupOf(apiVersion)}/accept-data-loss`;
}

/**
 * Why a child whose `fields` are immutable is not made anew, or undefined where it is to be: its kind is one of `recreate`,
 * and where it holds data, its custom resource says that this may go. No `recreate` is about what was never ours.
 */
export function refusalToRecreate(
  child: KubeObject,
  fields: readonly string[],
  cr: KubeObject,
  recreate: readonly ApiResource[] | undefined,
): ImmutableError | undefined {
  const kind = groupKindOf(child);
  const subject = `${child.kind}/${child.metadata.name}`;
  const isMeant = recreate?.some((each) => groupKindOf(each) === kind) === true;
  const consent = dataLossConsent(cr);
  const isData = dataKinds.has(kind);
  const agreed = (cr.metadata.annotations?.[consent] ?? '').split(',').some((each) => each.trim() === subject);
  if (isMeant && (!isData || agreed)) return undefined;
  const choice = isMeant
    ? `annotate the custom resource with ${consent}: ${subject}`
    : `delete it by hand${isData || !recreate ? '' : ', or let the operator recreate its kind'}`;
  const message = `${show(refOf(child))} cannot be changed: ${[...new Set(fields)].join(', ')} is immutable`;
  return new ImmutableError(message, {
    hint: `${recreate ? 'change it back' : 'compose it as it is'}, give the child another name, or ${choice}`,
  });
}
