import type { HTTPGetAction, Lifecycle, Probe } from '../../../../imports/k8s.js';
import { mustMatch } from '../../../schema/name-formats.js';
import { portNumberOrName } from '../port-formats.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

const notAHeader = mustMatch(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  'X-Header-Name',
);
const kinds = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

type Handler = Pick<Unchecked<Probe>, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & {
  readonly sleep?: { readonly seconds?: number | undefined } | undefined;
};

/** https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-probes */
export function probeProblems(
  found: Problems,
  path: string,
  probe: Unchecked<Probe> | undefined,
  kind: 'liveness' | 'readiness' | 'startup',
): void {
  if (probe === undefined) return;
  handlerProblems(found, path, probe, undefined);
  found.nonNegative(`${path}.initialDelaySeconds`, probe.initialDelaySeconds);
  found.nonNegative(`${path}.timeoutSeconds`, probe.timeoutSeconds);
  found.nonNegative(`${path}.periodSeconds`, probe.periodSeconds);
  found.nonNegative(`${path}.successThreshold`, probe.successThreshold);
  found.nonNegative(`${path}.failureThreshold`, probe.failureThreshold);
  const { terminationGracePeriodSeconds: grace, successThreshold = 0 } = probe;
  if (grace !== undefined && grace <= 0) {
    found.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0');
  }
  if (kind === 'readiness') {
    if (grace !== undefined) {
      found.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes');
    }
  } else if (successThreshold !== 1) found.invalid(`${path}.successThreshold`, successThreshold, 'must be 1');
}

/** https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/ */
export function lifecycleProblems(
  found: Problems,
  path: string,
  { postStart, preStop }: Unchecked<Lifecycle>,
  gracePeriod: number | undefined,
): void {
  if (postStart) handlerProblems(found, `${path}.postStart`, postStart, gracePeriod);
  if (preStop) handlerProblems(found, `${path}.preStop`, preStop, gracePeriod);
}

function handlerProblems(found: Problems, path: string, handler: Handler, gracePeriod: number | undefined): void {
  let given = 0;
  for (const kind of kinds) {
    if (handler[kind] === undefined) continue;
    if (given++ > 0) found.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type');
    else actionProblems(found, `${path}.${kind}`, handler, gracePeriod);
  }
  if (given === 0) found.required(path, 'must specify a handler type');
}

/** Judges the first action that is there. */
function actionProblems(found: Problems, path: string, handler: Handler, gracePeriod: number | undefined): void {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (exec) {
    if ((exec.command?.length ?? 0) === 0) found.required(`${path}.command`);
  } else if (httpGet) httpGetProblems(found, path, httpGet);
  else if (tcpSocket) found.add(portNumberOrName(`${path}.port`, tcpSocket.port ?? 0));
  else if (grpc) found.add(portNumberOrName(`${path}.port`, grpc.port ?? 0));
  else if (sleep && gracePeriod !== undefined) {
    const { seconds = 0 } = sleep;
    if (seconds >= 0 && seconds <= gracePeriod) return;
    found.invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`);
  }
}

function httpGetProblems(found: Problems, path: string, get: Unchecked<HTTPGetAction>): void {
  if (!get.path) found.required(`${path}.path`);
  found.add(portNumberOrName(`${path}.port`, get.port ?? 0));
  const { scheme = '' } = get;
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') found.notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']);
  for (const { name = '' } of get.httpHeaders ?? []) {
    if (!/^[-A-Za-z0-9]+$/.test(name)) found.invalid(`${path}.httpHeaders`, name, notAHeader);
  }
}
