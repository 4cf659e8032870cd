import type { PodObject, PodSpec, Volume } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import { goQuote } from '../../../schema/go-format.js';
import { pathSegment } from '../../../schema/name-formats.js';
import type { Draft } from '../../draft.js';
import { generatedName } from '../../engine.js';
import type { World } from '../../kinds/served-kind.js';
import { isSaidEmpty } from '../../said-more.js';
import { forbidden, unexplained } from '../../status-error.js';
import { defaultServiceAccount } from '../pod-template/default-pod-spec.js';
import { priorityClassStorage } from '../system-priority-classes.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { isSame } from './selector-of-workload.js';
import { topologyLabels } from './topology-labels.js';

type Spec = Unchecked<PodSpec>;
type Fields = Readonly<Record<string, unknown>>;

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const runtimeClasses = 'runtimeclasses.node.k8s.io';
const tokenVolume = 'kube-api-access-';

/**
 * What the admission plugins that are on by default do to a Pod that is to be created: they find its service account
 * and mount its token, settle its priority and its runtime class, and let it tolerate a lost node for a while.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
 */
export function admitPod(object: Draft, world: World): void {
  const pod = unchecked<PodObject>(object);
  pod.spec ??= {};
  const { spec } = pod;
  const refuse = (because: string): Error => {
    const { name, generateName } = object.metadata;
    return forbidden({ group: '', name: 'pods' }, name || generateName || 'Unknown', because);
  };
  const isMirror = object.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  if (isMirror) {
    if (spec.serviceAccountName) throw refuse('a mirror pod may not reference service accounts');
  } else {
    serviceAccount(spec, object.metadata.namespace ?? '', world, refuse);
  }
  priority(spec, world, refuse);
  tolerateLostNodes(spec);
  runtimeClass(spec, world, refuse);
  const labels = spec.nodeName ? topologyLabels(spec.nodeName, world) : {};
  if (Object.keys(labels).length > 0) object.metadata.labels = { ...object.metadata.labels, ...labels };
}

function serviceAccount(spec: Spec, namespace: string, world: World, refuse: (because: string) => Error): void {
  spec.serviceAccountName ||= 'default';
  defaultServiceAccount(spec);
  const name = spec.serviceAccountName;
  const account = world.get('serviceaccounts', namespace, name);
  if (account === undefined) {
    const faults = pathSegment(name);
    const because =
      faults.length > 0
        ? `invalid resource name ${goQuote(name)}: [${faults.join(' ')}]`
        : `serviceaccount ${goQuote(name)} not found`;
    throw refuse(`error looking up service account ${namespace}/${name}: ${because}`);
  }
  if ((spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) === true) {
    mountToken(spec, world);
  }
  const secrets = account.imagePullSecrets as readonly { readonly name?: string }[] | undefined;
  if ((spec.imagePullSecrets?.length ?? 0) === 0 && secrets !== undefined && secrets.length > 0) {
    spec.imagePullSecrets = secrets.map((secret) => ({ name: secret.name ?? '' }));
  }
}

/** Containers that mount something of their own where the token goes do without it. */
function mountToken(spec: Spec, world: World): void {
  const existing = spec.volumes?.find(({ name }) => name?.startsWith(tokenVolume))?.name;
  const name = existing ?? generatedName(tokenVolume, () => world.random());
  let isMounted = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === tokenPath)) continue;
    container.volumeMounts = [...mounts, { name, readOnly: true, mountPath: tokenPath }];
    isMounted = true;
  }
  if (existing === undefined && isMounted) spec.volumes = [...(spec.volumes ?? []), tokenSource(name)];
}

/** https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-token-volume */
function tokenSource(name: string): Unchecked<Volume> {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        // An hour and seven seconds, by which the server tells tokens that it added itself.
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
function priority(spec: Spec, world: World, refuse: (because: string) => Error): void {
  const { name, value, policy } = priorityClass(spec.priorityClassName, world, refuse);
  if (name !== '') spec.priorityClassName = name;
  const byController = 'priority admission controller computed';
  if (spec.priority !== undefined && spec.priority !== value) {
    const given = `the integer value of priority (${spec.priority}) must not be provided in pod spec`;
    throw refuse(`${given}; ${byController} ${value} from the given PriorityClass name`);
  }
  spec.priority = value;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const given = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec`;
    throw refuse(`${given}; ${byController} ${policy} from the given PriorityClass name`);
  }
  spec.preemptionPolicy = policy;
}

interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly policy: string;
}

function priorityClass(name: string | undefined, world: World, refuse: (because: string) => Error): PriorityClass {
  const read = (object: Fields, called: string): PriorityClass => ({
    name: called,
    value: (object.value as number | undefined) ?? 0,
    policy: (object.preemptionPolicy as string | undefined) ?? 'PreemptLowerPriority',
  });
  if (name) {
    const found = world.get(priorityClassStorage, undefined, name);
    if (found) return read(found, name);
    throw refuse(`no PriorityClass with name ${name} was found`);
  }
  const defaults = world
    .list(priorityClassStorage)
    .filter(({ globalDefault }) => globalDefault === true)
    .map((each) => read(each, each.metadata.name))
    .sort((a, b) => a.value - b.value);
  return defaults[0] ?? read({}, '');
}

/** Five minutes, unless the Pod says otherwise. */
export function tolerateLostNodes(spec: Spec): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const isTolerated = spec.tolerations?.some(
      (each) => (!each.key || each.key === key) && (!each.effect || each.effect === 'NoExecute'),
    );
    if (isTolerated) continue;
    const toleration = { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
    spec.tolerations = [...(spec.tolerations ?? []), toleration];
  }
}

/** https://kubernetes.io/docs/concepts/containers/runtime-class/ */
function runtimeClass(spec: Spec, world: World, refuse: (because: string) => Error): void {
  const name = spec.runtimeClassName;
  const found = name === undefined ? undefined : world.get(runtimeClasses, undefined, name);
  if (name === '') throw unexplained(500, 'resource name may not be empty');
  if (name !== undefined && found === undefined) throw refuse(`pod rejected: RuntimeClass ${goQuote(name)} not found`);
  const fixed = overheadOf(found);
  const own = spec.overhead ?? {};
  if (fixed !== undefined) {
    if (Object.keys(own).length > 0 && !isSame(own, fixed)) {
      throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    spec.overhead = { ...fixed };
  }
  const scheduling = (found?.scheduling ?? {}) as Fields;
  const selector = (scheduling.nodeSelector ?? {}) as Readonly<Record<string, string>>;
  for (const [key, value] of Object.entries(selector)) {
    const given = spec.nodeSelector?.[key];
    if (given !== undefined && given !== value) {
      const both = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`;
      throw refuse(`conflict: ${both}`);
    }
    spec.nodeSelector = { ...spec.nodeSelector, [key]: value };
  }
  const tolerations = (scheduling.tolerations ?? []) as NonNullable<Spec['tolerations']>;
  const added = tolerations.filter((each) => !spec.tolerations?.some((other) => isSame(each, other)));
  if (added.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...structuredClone(added)];
}

/** A Pod with nothing else wrong with it says of overhead only what its runtime class says. */
export function refuseOverhead(object: KubeObject, world: World): void {
  const { spec = {} } = unchecked<PodObject>(object);
  const { overhead, runtimeClassName } = spec;
  if (overhead === undefined && !isSaidEmpty(spec, 'overhead')) return;
  if (runtimeClassName && overheadOf(world.get(runtimeClasses, undefined, runtimeClassName)) !== undefined) return;
  const because = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  throw forbidden({ group: '', name: 'pods' }, object.metadata.name, because);
}

function overheadOf(runtimeClass: object | undefined): Record<string, string> | undefined {
  return ((runtimeClass as Fields | undefined)?.overhead as Fields | undefined)?.podFixed as
    | Record<string, string>
    | undefined;
}
