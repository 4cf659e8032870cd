import type { PodObject, PodSpec } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import type { Draft } from '../../draft.js';
import type { Rules, World } from '../../kinds/served-kind.js';
import { addressWarnings } from '../address-warnings.js';
import { securePod } from '../pod-security/pod-security.js';
import { imageProblems } from '../pod-template/container-problems.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { takeInLabels } from '../pod-template/match-label-keys.js';
import { annotationsMatchFields, podAnnotationProblems } from '../pod-template/pod-annotation-problems.js';
import { podSpecProblems } from '../pod-template/pod-spec-problems.js';
import { podWarnings } from '../pod-template/pod-warnings.js';
import { Problems } from '../problems.js';
import { keepStatus } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { takeInAppArmor, takenInWarnings } from './app-armor.js';
import { defaultPod } from './default-pod.js';
import { admitPod, refuseOverhead, tolerateLostNodes } from './pod-admission.js';
import { annotationChangeProblems } from './pod-annotation-changes.js';
import { podChangeProblems } from './pod-change-problems.js';
import { podStatusProblems, preparePodStatus } from './pod-status-rules.js';
import { qualityOfService } from './quality-of-service.js';
import { isSame } from './selector-of-workload.js';
import { nameOfPodsWarnings } from './workload-warnings.js';

/** https://kubernetes.io/docs/concepts/workloads/pods/ */
export const podRules: Rules = {
  default: defaultPod,
  admit(object, operation, world) {
    if (operation === 'CREATE') admitPod(object, world);
  },
  admitValid(object, old, world) {
    const warnings = securePod(object, old, world);
    if (old === undefined) refuseOverhead(object, world);
    return warnings;
  },
  prepareForCreate(object, world) {
    const { spec = {} } = unchecked<PodObject>(object);
    dropClosedFields(spec);
    object.status = newStatus(spec, world);
    takeInOwnLabels(object, spec);
    takeInAppArmor(object.metadata.annotations, spec);
  },
  prepareForUpdate(object, old) {
    keepStatus(object, old);
    const { spec } = unchecked<PodObject>(object);
    dropClosedFields(spec);
    if (spec === undefined) return;
    tolerateLostNodes(spec);
    // What admission has settled stays, also for who does not send it back.
    const before = unchecked<PodObject>(old).spec;
    if (before?.priority !== undefined) spec.priority ??= before.priority;
    if (before?.preemptionPolicy !== undefined) spec.preemptionPolicy ??= before.preemptionPolicy;
  },
  prepareForStatusUpdate: preparePodStatus,
  validate(object) {
    const found = new Problems();
    const { spec = {} } = unchecked<PodObject>(object);
    const { annotations } = object.metadata;
    metadataAndSpec(found, object, spec);
    if ((spec.ephemeralContainers?.length ?? 0) > 0)
      found.forbidden('spec.ephemeralContainers', 'cannot be set on create');
    if (spec.nodeName && (spec.schedulingGates?.length ?? 0) > 0) {
      found.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
    }
    annotationsMatchFields(found, 'spec', annotations, spec);
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    const { spec = {} } = unchecked<PodObject>(object);
    metadataAndSpec(found, object, spec);
    annotationChangeProblems(found, object, old);
    podAnnotationProblems(found, 'metadata.annotations', object.metadata.annotations, spec);
    podChangeProblems(found, spec, unchecked<PodObject>(old).spec ?? {});
    return found.all;
  },
  validateStatusUpdate(object, old) {
    const found = new Problems();
    annotationChangeProblems(found, object, old);
    const { spec = {} } = unchecked<PodObject>(object);
    podAnnotationProblems(found, 'metadata.annotations', object.metadata.annotations, spec);
    podStatusProblems(found, unchecked<PodObject>(object), unchecked<PodObject>(old));
    return found.all;
  },
  generation: (object, old) => !isSame(object.spec, old.spec),
  resetFields: {
    main: [['f:status']],
    status: [['f:spec'], ['f:metadata', 'f:deletionTimestamp'], ['f:metadata', 'f:ownerReferences']],
  },
  gracePeriodSeconds(object) {
    const { spec = {}, status = {} } = unchecked<PodObject>(object);
    if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
    const { terminationGracePeriodSeconds: period = 0 } = spec;
    return period < 0 ? 1 : period;
  },
  warnings(object, old) {
    if (old !== undefined) return [];
    const { spec = {} } = unchecked<PodObject>(object);
    const ofName = nameOfPodsWarnings(object, "the Pod's hostname");
    return [...takenInWarnings(spec), ...ofName, ...podWarnings('', spec, object.metadata.annotations)];
  },
  statusWarnings(object) {
    const { podIPs = [], hostIPs = [] } = unchecked<PodObject>(object).status ?? {};
    return [
      ...podIPs.flatMap(({ ip = '' }, index) => addressWarnings(`status.podIPs[${index}].ip`, ip)),
      ...hostIPs.flatMap(({ ip = '' }, index) => addressWarnings(`status.hostIPs[${index}].ip`, ip)),
    ];
  },
};

function newStatus(spec: Unchecked<PodSpec>, world: World): object {
  const status = { phase: 'Pending', qosClass: qualityOfService(spec) };
  if ((spec.schedulingGates?.length ?? 0) === 0) return status;
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: new Date(Math.floor(world.now() / 1000) * 1000).toISOString().replace('.000Z', 'Z'),
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { ...status, conditions: [gated] };
}

/** Selectors that name labels of the Pod itself get their values once, now. */
function takeInOwnLabels(object: Draft, spec: Unchecked<PodSpec>): void {
  const { labels } = object.metadata;
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const affinity = spec.affinity?.[field];
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (podAffinityTerm) takeInLabels(podAffinityTerm, labels);
    }
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) takeInLabels(term, labels);
  }
  for (const constraint of spec.topologySpreadConstraints ?? []) takeInLabels(constraint, labels);
}

function metadataAndSpec(found: Problems, { metadata }: KubeObject, spec: Unchecked<PodSpec>): void {
  podAnnotationProblems(found, 'metadata.annotations', metadata.annotations, spec);
  podSpecProblems(found, 'spec', spec, { isPod: true, podName: metadata.name });
  if (!spec.serviceAccountName) {
    spec.volumes?.forEach(({ projected }, index) => {
      projected?.sources?.forEach(({ serviceAccountToken }, at) => {
        if (!serviceAccountToken) return;
        const path = `spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`;
        found.forbidden(path, 'must not be specified when serviceAccountName is not set');
      });
    });
  }
  imageProblems(found, 'spec.containers', spec.containers);
  imageProblems(found, 'spec.initContainers', spec.initContainers);
}
