import type { Container, ContainerStatus, PodObject, ResourceStatus } from '../../../../imports/k8s.js';
import { betweenInclusive } from '../../../schema/name-formats.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

type Pod = Unchecked<PodObject>;
type Statuses = readonly Unchecked<ContainerStatus>[];

const highestId = 2 ** 31 - 1;
const mostBytesOfMessage = 1024;
const healths = ['Healthy', 'Unhealthy', 'Unknown'];

/** What is wrong with what is told of containers, apart from the states that they are in. */
export function containerStatusProblems(found: Problems, { spec = {}, status = {} }: Pod): void {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const all = { containerStatuses, initContainerStatuses, ephemeralContainerStatuses };
  for (const [field, statuses] of Object.entries(all)) {
    userProblems(found, `status.${field}`, statuses, spec.os?.name ?? 'linux');
  }
  allocationProblems(found, 'status.containerStatuses', containerStatuses, spec.containers ?? []);
  allocationProblems(found, 'status.initContainerStatuses', initContainerStatuses, spec.initContainers ?? []);
  ephemeralContainerStatuses.forEach(({ allocatedResourcesStatus: allocated = [] }, index) => {
    if (allocated.length === 0) return;
    const at = `status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`;
    found.forbidden(at, 'must not be specified in container status');
  });
}

function userProblems(found: Problems, path: string, statuses: Statuses, os: string): void {
  statuses.forEach(({ user }, index) => {
    const linux = user?.linux;
    if (linux === undefined) return;
    const at = `${path}[${index}].user.linux`;
    if (os === 'windows') found.forbidden(at, 'cannot be set for a windows pod');
    if (os !== 'linux') return;
    const judge = (field: string, id: number) => {
      if (id < 0 || id > highestId) found.invalid(`${at}.${field}`, id, betweenInclusive(0, highestId));
    };
    judge('uid', linux.uid ?? 0);
    judge('gid', linux.gid ?? 0);
    linux.supplementalGroups?.forEach((id, place) => {
      judge(`supplementalGroups[${place}]`, id);
    });
  });
}

function allocationProblems(
  found: Problems,
  path: string,
  statuses: Statuses,
  containers: readonly Unchecked<Container>[],
): void {
  statuses.forEach(({ name = '', allocatedResourcesStatus: allocated = [] }, index) => {
    const container = containers.find((each) => (each.name ?? '') === name);
    allocated.forEach((each, place) => {
      const at = `${path}[${index}].allocatedResourcesStatus[${place}]`;
      if (container !== undefined) resourceProblems(found, `${at}.name`, each.name ?? '', container);
      healthProblems(found, `${at}.resources`, each);
    });
  });
}

function resourceProblems(found: Problems, path: string, name: string, { resources }: Unchecked<Container>): void {
  if (name.startsWith('claim:')) {
    const claims = resources?.claims ?? [];
    if (claims.some(({ name: claim = '', request }) => name === `claim:${claim}${request ? `/${request}` : ''}`))
      return;
    const detail =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    found.invalid(path, name, detail);
  } else if (!Object.hasOwn(resources?.requests ?? {}, name)) {
    found.invalid(path, name, "must match one of the container's resource requests");
  }
}

function healthProblems(found: Problems, path: string, { resources = [] }: Unchecked<ResourceStatus>): void {
  const seen = new Set<string>();
  resources.forEach(({ health = '', message, resourceID = '' }, index) => {
    const at = `${path}[${index}]`;
    if (!healths.includes(health)) found.notSupported(`${at}.health`, health, healths);
    if (message === '') found.required(`${at}.message`, 'must be non-empty if specified');
    else if (message !== undefined && Buffer.byteLength(message) > mostBytesOfMessage) {
      found.tooLong(`${at}.message`, mostBytesOfMessage);
    }
    if (seen.has(resourceID)) found.duplicate(`${at}.resourceID`, resourceID);
    seen.add(resourceID);
  });
}
