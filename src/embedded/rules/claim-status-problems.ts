import type { PersistentVolumeClaimObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { qualifiedName } from '../../schema/name-formats.js';
import { negativeProblems, sortedNames, wholeAmount } from './amounts.js';
import { Problems } from './problems.js';
import { isNative } from './resource-names.js';
import type { Unchecked } from './unchecked.js';

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

/** What is wrong with what is said of a claim's volume. */
export function claimStatusProblems(object: KubeObject): readonly FieldProblem[] {
  const { status = {} } = object as unknown as Unchecked<PersistentVolumeClaimObject>;
  const found = new Problems();
  for (const name of sortedNames(status.capacity)) {
    basicProblems(found, `status.capacity[${name}]`, status.capacity?.[name] ?? 0);
  }
  const resizes = status.allocatedResourceStatuses ?? {};
  for (const name of sortedNames(resizes)) {
    const path = 'status.allocatedResourceStatuses';
    keyProblems(found, path, name);
    // The server shows the name, and means what stands under it.
    if (!resizeStatuses.includes(resizes[name] ?? '')) found.notSupported(path, name, resizeStatuses);
  }
  for (const name of sortedNames(status.allocatedResources)) {
    const path = 'status.allocatedResources';
    if (!keyProblems(found, path, name)) continue;
    const amount = status.allocatedResources?.[name] ?? 0;
    if (basicProblems(found, `${path}[${name}]`, amount)) found.add(negativeProblems(`${path}[${name}]`, amount));
  }
  return found.all;
}

/** True when there are none. */
function basicProblems(found: Problems, path: string, amount: string | number): boolean {
  const whole = wholeAmount(amount);
  if (whole >= 0n) return true;
  found.invalidShown(path, String(whole), 'must be a valid resource quantity');
  return false;
}

/** True when there are none: of what is native, only storage is. */
function keyProblems(found: Problems, path: string, name: string): boolean {
  const before = found.all.length;
  found.format(path, name, qualifiedName);
  if (found.all.length === before && isNative(name) && name !== 'storage') found.notSupported(path, name, ['storage']);
  return found.all.length === before;
}
