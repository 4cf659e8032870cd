import type { ObjectFieldSelector, ResourceFieldSelector } from '../../../../imports/k8s.js';
import { shownAmount } from '../amounts.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

const inEnvironment = ['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName'].concat([
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
const inVolumes = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
/** What can be selected of a Pod at all. */
const convertible = new Set([
  ...inEnvironment,
  ...inVolumes,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const amounts = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory'].concat([
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]);
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** A field of the Pod: https://kubernetes.io/docs/concepts/workloads/pods/downward-api/ */
export function fieldRef(
  found: Problems,
  path: string,
  reference: Unchecked<ObjectFieldSelector>,
  where: 'environment' | 'volume',
): void {
  const { apiVersion = '', fieldPath = '' } = reference;
  if (apiVersion === '') {
    found.required(`${path}.apiVersion`);
    return;
  }
  if (fieldPath === '') {
    found.required(`${path}.fieldPath`);
    return;
  }

  const subscript = /^(.+?)\['(.*)'\]$/s.exec(fieldPath);
  const field = subscript?.[1] ?? fieldPath;
  const isConvertible =
    apiVersion === 'v1' &&
    (convertible.has(fieldPath) ||
      (subscript !== null && (field === 'metadata.annotations' || field === 'metadata.labels')) ||
      fieldPath === 'spec.host');
  if (!isConvertible) {
    const error =
      apiVersion === 'v1'
        ? subscript === null
          ? `field label not supported: ${fieldPath}`
          : `field label does not support subscript: ${fieldPath}`
        : `unsupported pod version: ${apiVersion}`;
    found.invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${error}`);
    return;
  }
  const shown = fieldPath === 'spec.host' ? 'spec.nodeName' : field;
  if (subscript !== null) {
    const key = subscript[2] ?? '';
    found.qualifiedName(path, field === 'metadata.annotations' ? key.toLowerCase() : key);
    return;
  }
  const supported = where === 'environment' ? inEnvironment : inVolumes;
  if (!supported.includes(shown)) found.notSupported(`${path}.fieldPath`, shown, supported);
}

/** An amount of a container's resources. */
export function resourceFieldRef(
  found: Problems,
  path: string,
  reference: Unchecked<ResourceFieldSelector>,
  where: 'environment' | 'volume',
): void {
  const { containerName = '', resource = '', divisor = '0' } = reference;
  const isHugePages = resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-');
  if (where === 'volume' && containerName === '') found.required(`${path}.containerName`);
  else if (resource === '') found.required(`${path}.resource`);
  else if (!amounts.includes(resource) && !isHugePages) found.notSupported(`${path}.resource`, resource, amounts);

  const shown = shownAmount(divisor);
  if (shown === '0') return;
  const refuse = (values: string, kind: string) =>
    found.invalid(
      `${path}.divisor`,
      resource,
      `only divisor's values ${values} are supported with the ${kind} resource`,
    );
  const bytes = byteDivisors.join(', ');
  if (resource.endsWith('.cpu')) {
    if (shown !== '1m' && shown !== '1') refuse('1m and 1', 'cpu');
  } else if (!byteDivisors.includes(shown)) {
    if (resource.endsWith('.memory')) refuse(bytes, 'memory');
    else if (resource.endsWith('.ephemeral-storage')) refuse(bytes, 'local ephemeral storage');
    else if (isHugePages) refuse(bytes, 'hugepages');
  }
}
