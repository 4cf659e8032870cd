import { groupOf } from './api-resource.js';
import { TerminalError } from './errors.js';
import type { ManifestMetadata } from './manifest.js';
import { show } from './object-ref.js';

/** What becomes of everything that a custom resource has when it is deleted itself: it goes, too, or it stays. */
const deletionPolicies = ['delete', 'orphan'] as const;

export type DeletionPolicy = (typeof deletionPolicies)[number];

/** What a custom resource says of itself, as far as it matters here. */
export interface Policed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata;
}

/**
 * What a person says of a custom resource by `<group>/deletion-policy`; capitals do not matter, for other projects have
 * them.
 *
 * Throws `TerminalError` for a word that means nothing: whoever wrote it wanted something.
 */
export function deletionPolicyOf({ apiVersion, kind, metadata }: Policed): DeletionPolicy {
  const annotation = `${groupOf(apiVersion)}/deletion-policy`;
  const asked = metadata.annotations?.[annotation];
  if (asked === undefined || asked === '') return 'delete';
  const policy = deletionPolicies.find((each) => each === asked.toLowerCase());
  if (policy) return policy;
  const { name, namespace } = metadata;
  const subject = show({ kind, name, ...(namespace === undefined ? {} : { namespace }) });
  throw new TerminalError(`${subject} asks for the deletion policy ${JSON.stringify(asked)} in ${annotation}`, {
    hint: `write ${deletionPolicies.join(' or ')}, or remove the annotation`,
  });
}
