import type { Container, EphemeralContainer } from '../../../../imports/k8s.js';
import { isSaidEmpty } from '../../said-more.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { type AroundContainers, commonProblems, imageProblem } from './container-problems.js';

/** What a container that comes and goes may not have, in the order in which the server declares it. */
const forbidden = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const satisfies readonly (keyof EphemeralContainer)[];

const detail = 'cannot be set for an Ephemeral Container';

/** https://kubernetes.io/docs/concepts/workloads/pods/ephemeral-containers/ */
export function ephemeralContainersProblems(found: Problems, path: string, around: AroundContainers): void {
  const { containers, initContainers, ephemeralContainers } = around.spec;
  const others = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name = '' }) => name));
  const names = new Set(others);
  ephemeralContainers?.forEach((container, index) => {
    const at = `${path}[${index}]`;
    commonProblems(found, at, container as Unchecked<Container>, around);
    imageProblem(found, at, container);
    const { name = '', targetContainerName: target = '', volumeMounts = [] } = container;
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
    if (target !== '' && !others.has(target)) found.notFound(`${at}.targetContainerName`, target);
    for (const field of forbidden) if (isSet(container, field)) found.forbidden(`${at}.${field}`, detail);
    volumeMounts.forEach(({ subPath, subPathExpr }, mount) => {
      if (subPath) found.forbidden(`${at}.volumeMounts[${mount}].subPath`, detail);
      if (subPathExpr) found.forbidden(`${at}.volumeMounts[${mount}].subPathExpr`, detail);
    });
  });
}

function isSet(container: Unchecked<EphemeralContainer>, field: (typeof forbidden)[number]): boolean {
  const value = container[field];
  if (value === undefined) return isSaidEmpty(container, field);
  // Every container has resources, with or without something in them.
  if (field !== 'resources') return true;
  return (
    Object.keys(value).length > 0 || ['limits', 'requests', 'claims'].some((part) => isSaidEmpty(value as object, part))
  );
}
