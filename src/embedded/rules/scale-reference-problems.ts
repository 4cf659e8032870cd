import type { CrossVersionObjectReference } from '../../../imports/k8s.js';
import { pathSegment } from '../../schema/name-formats.js';
import type { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

/** What is wrong with a reference to an object of any version. */
export function scaleReferenceProblems(
  found: Problems,
  path: string,
  { kind = '', name = '', apiVersion = '' }: Unchecked<CrossVersionObjectReference>,
  { takesAnyVersion, takesCoreGroup }: { readonly takesAnyVersion: boolean; readonly takesCoreGroup: boolean },
): void {
  if (kind === '') found.required(`${path}.kind`);
  else found.format(`${path}.kind`, kind, pathSegment);
  if (name === '') found.required(`${path}.name`);
  else found.format(`${path}.name`, name, pathSegment);
  const fault = takesAnyVersion ? undefined : versionFault(apiVersion, takesCoreGroup);
  if (fault !== undefined) found.invalid(`${path}.apiVersion`, apiVersion, fault);
}

/** Why a version is none that can be scaled; undefined when it can be. */
export function versionFault(apiVersion: string, takesCoreGroup: boolean): string | undefined {
  const slashes = apiVersion.split('/').length - 1;
  if (slashes > 1) return `unexpected GroupVersion string: ${apiVersion}`;
  const hasGroup = slashes === 1 && !apiVersion.startsWith('/');
  return hasGroup || takesCoreGroup ? undefined : 'apiVersion must specify API group';
}
