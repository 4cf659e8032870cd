import type { Container, ContainerPort, PodSpec } from '../../../../imports/k8s.js';
import { portName, portNumber, protocolProblems } from '../port-formats.js';
import type { Problems } from '../problems.js';
import { containerResourceNameProblems } from '../resource-names.js';
import type { Unchecked } from '../unchecked.js';
import { environmentProblems } from './env-problems.js';
import { lifecycleProblems, probeProblems } from './handler-problems.js';
import { mountProblems } from './mount-problems.js';
import { pullPolicyProblems } from './pull-policy-problems.js';
import { resourceProblems } from './resource-problems.js';
import { restartPolicyProblems } from './restart-policy-problems.js';
import { containerSecurityProblems } from './security-problems.js';
import type { GoodVolumes } from './volume-problems.js';

/** What containers may refer to in their Pod. */
export interface AroundContainers {
  readonly spec: Unchecked<PodSpec>;
  readonly volumes: GoodVolumes;
  readonly claimNames: ReadonlySet<string>;
}

const messagePolicies = ['File', 'FallbackToLogsOnError'];

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Container */
export function containersProblems(found: Problems, path: string, around: AroundContainers): void {
  const { terminationGracePeriodSeconds } = around.spec;
  const containers = around.spec.containers ?? [];
  if (containers.length === 0) {
    found.required(path);
    return;
  }
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const at = `${path}[${index}]`;
    commonProblems(found, at, container, around);
    const { name = '' } = container;
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
    handlers(found, at, container, terminationGracePeriodSeconds);
    restartPolicyProblems(found, at, container, 'app');
  });
  hostPortConflicts(found, path, containers);
}

/** Init containers, and those that run beside the others: sidecars. */
export function initContainersProblems(found: Problems, path: string, around: AroundContainers): void {
  const { initContainers = [], terminationGracePeriodSeconds } = around.spec;
  const names = new Set((around.spec.containers ?? []).map(({ name = '' }) => name));
  initContainers.forEach((container, index) => {
    const at = `${path}[${index}]`;
    commonProblems(found, at, container, around);
    const { name = '', restartPolicy } = container;
    restartPolicyProblems(found, at, container, 'init');
    if (names.has(name)) found.duplicate(`${at}.name`, name);
    else if (name !== '') names.add(name);
    // At the path of a first container, whichever it is.
    hostPortConflicts(found, path, [container]);
    if (restartPolicy === 'Always') handlers(found, at, container, terminationGracePeriodSeconds);
    else onlyForSidecars(found, at, container);
  });
}

/** What stands in every container. */
export function commonProblems(
  found: Problems,
  path: string,
  container: Unchecked<Container>,
  { spec, volumes, claimNames }: AroundContainers,
): void {
  const { name = '', image = '', terminationMessagePolicy = '' } = container;
  if (name === '') found.required(`${path}.name`);
  else found.label(`${path}.name`, name);
  if (image === '') found.required(`${path}.image`);
  if (terminationMessagePolicy === '') found.required(`${path}.terminationMessagePolicy`);
  else if (!messagePolicies.includes(terminationMessagePolicy)) {
    found.notSupported(`${path}.terminationMessagePolicy`, terminationMessagePolicy, messagePolicies);
  }
  if (container.ports) portProblems(found, `${path}.ports`, container.ports);
  environmentProblems(found, path, container);
  mountProblems(found, path, container, volumes);
  pullPolicyProblems(found, `${path}.imagePullPolicy`, container.imagePullPolicy);
  if (container.resources) {
    resourceProblems(found, `${path}.resources`, container.resources, claimNames, containerResourceNameProblems);
  }
  if (container.resizePolicy) resizeProblems(found, `${path}.resizePolicy`, container.resizePolicy, spec.restartPolicy);
  if (container.securityContext) {
    containerSecurityProblems(found, `${path}.securityContext`, container.securityContext, spec.hostUsers !== false);
  }
}

/** For Pods, but not for templates: an image whose name has spaces around it. */
export function imageProblems(
  found: Problems,
  path: string,
  containers: readonly Unchecked<Container>[] | undefined,
): void {
  for (const [index, container] of containers?.entries() ?? []) imageProblem(found, `${path}[${index}]`, container);
}

export function imageProblem(found: Problems, path: string, { image = '' }: Unchecked<Pick<Container, 'image'>>): void {
  if (image === image.trim()) return;
  found.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace');
}

function handlers(
  found: Problems,
  path: string,
  container: Unchecked<Container>,
  gracePeriod: number | undefined,
): void {
  if (container.lifecycle) lifecycleProblems(found, `${path}.lifecycle`, container.lifecycle, gracePeriod);
  probeProblems(found, `${path}.livenessProbe`, container.livenessProbe, 'liveness');
  probeProblems(found, `${path}.readinessProbe`, container.readinessProbe, 'readiness');
  probeProblems(found, `${path}.startupProbe`, container.startupProbe, 'startup');
}

function onlyForSidecars(found: Problems, path: string, container: Unchecked<Container>): void {
  for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[field] === undefined) continue;
    found.forbidden(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always');
  }
  container.resizePolicy?.forEach(({ restartPolicy }, index) => {
    if (restartPolicy !== 'RestartContainer') return;
    const at = `${path}.resizePolicy[${index}].restartPolicy`;
    found.invalid(at, restartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers");
  });
}

function portProblems(found: Problems, path: string, ports: readonly Unchecked<ContainerPort>[]): void {
  const names = new Set<string>();
  ports.forEach(({ name, containerPort = 0, hostPort = 0, protocol }, index) => {
    const at = `${path}[${index}]`;
    if (name) {
      const problems = portName(name);
      for (const message of problems) found.invalid(`${at}.name`, name, message);
      if (problems.length === 0) {
        if (names.has(name)) found.duplicate(`${at}.name`, name);
        names.add(name);
      }
    }
    if (containerPort === 0) found.required(`${at}.containerPort`);
    else for (const message of portNumber(containerPort)) found.invalid(`${at}.containerPort`, containerPort, message);
    if (hostPort !== 0) for (const message of portNumber(hostPort)) found.invalid(`${at}.hostPort`, hostPort, message);
    found.add(protocolProblems(`${at}.protocol`, protocol));
  });
}

function hostPortConflicts(found: Problems, path: string, containers: readonly Unchecked<Container>[]): void {
  const taken = new Set<string>();
  containers.forEach(({ ports = [] }, container) => {
    ports.forEach(({ hostPort = 0, hostIP = '', protocol = '' }, index) => {
      if (hostPort === 0) return;
      const port = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(port)) found.duplicate(`${path}[${container}].ports[${index}].hostPort`, port);
      taken.add(port);
    });
  });
}

function resizeProblems(
  found: Problems,
  path: string,
  policies: NonNullable<Unchecked<Container>['resizePolicy']>,
  podPolicy: string | undefined,
): void {
  const seen = new Set<string>();
  policies.forEach(({ resourceName = '', restartPolicy = '' }, index) => {
    if (seen.has(resourceName)) found.duplicate(`${path}[${index}]`, resourceName);
    seen.add(resourceName);
    const resources = ['cpu', 'memory'];
    if (resourceName === '') found.required(path);
    else if (!resources.includes(resourceName)) found.notSupported(path, resourceName, resources);
    const supported = ['NotRequired', 'RestartContainer'];
    if (restartPolicy === '') found.required(path);
    else if (!supported.includes(restartPolicy)) found.notSupported(path, restartPolicy, supported);
    if (podPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      found.invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  });
}
