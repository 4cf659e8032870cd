import type { Container, EnvVar, EphemeralContainer, LifecycleHandler, Probe } from '../../../../imports/k8s.js';
import { imageTag } from '../../../kube/image-reference.js';
import type { Unchecked } from '../unchecked.js';
import { defaultResourceList } from './default-resources.js';

/** Fills in what the author of a container left out. */
export function defaultContainer(container: Unchecked<Container | EphemeralContainer>): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.resources ??= {};
  defaultResourceList(container.resources.limits);
  defaultResourceList(container.resources.requests);
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const variable of container.env ?? []) defaultVariable(variable);
  defaultProbe(container.livenessProbe);
  defaultProbe(container.readinessProbe);
  defaultProbe(container.startupProbe);
  defaultHttpGet(container.lifecycle?.postStart?.httpGet);
  defaultHttpGet(container.lifecycle?.preStop?.httpGet);
}

/** https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting */
export function pullPolicyOf(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultVariable({ valueFrom }: Unchecked<EnvVar>): void {
  if (valueFrom === undefined) return;
  if (valueFrom.fieldRef) valueFrom.fieldRef.apiVersion ||= 'v1';
  if (valueFrom.resourceFieldRef) valueFrom.resourceFieldRef.divisor ??= '0';
  if (valueFrom.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
}

function defaultProbe(probe: Unchecked<Probe> | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function defaultHttpGet(get: Unchecked<LifecycleHandler>['httpGet']): void {
  if (get === undefined) return;
  get.path ||= '/';
  get.scheme ||= 'HTTP';
}
