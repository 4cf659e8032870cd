import type { CSIDriverObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Driver = Unchecked<CSIDriverObject>;

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const tokensInSecrets =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';
const lifecycles = ['Persistent', 'Ephemeral'];

/** https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/csi-driver-v1/ */
export const csiDriverRules: Rules = {
  default(object) {
    const driver = object as unknown as Driver;
    driver.spec ??= {};
    const { spec } = driver;
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  prepareForCreate: dropClosedField,
  prepareForUpdate(object, old) {
    dropClosedField(object);
    const { metadata, spec } = object;
    // It has no generation before the first change.
    if (!equal(spec as Json, old.spec as Json)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: driverProblems,
  validateUpdate(object, old) {
    const [now, was] = [object, old].map((each) => (each as unknown as Driver).spec ?? {});
    const found = new Problems();
    found.add(driverProblems(object));
    if (now?.attachRequired !== was?.attachRequired) {
      found.invalid('spec.attachedRequired', now?.attachRequired ?? null, 'field is immutable');
    }
    if (!equal(now?.volumeLifecycleModes as Json, was?.volumeLifecycleModes as Json)) {
      found.invalid('spec.volumeLifecycleModes', now?.volumeLifecycleModes ?? null, 'field is immutable');
    }
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
  warnings(object, old) {
    const { tokenRequests = [], serviceAccountTokenInSecrets } = (object as unknown as Driver).spec ?? {};
    const before = (old as unknown as Driver | undefined)?.spec?.tokenRequests ?? [];
    const isSame = old !== undefined && equal(tokenRequests as Json, before as Json);
    if (isSame || tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
    return [tokensInSecrets];
  },
  allowsUnconditionalUpdate: false,
};

/** It is behind a gate that is closed by default. */
function dropClosedField(object: Draft): void {
  delete (object as unknown as Driver).spec?.preventPodSchedulingIfMissing;
}

function driverProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Driver;
  const found = new Problems();
  if (spec.fsGroupPolicy !== undefined && !groupPolicies.includes(spec.fsGroupPolicy)) {
    found.notSupported('spec.fsGroupPolicy', spec.fsGroupPolicy, groupPolicies);
  }
  const audiences = new Set<string>();
  spec.tokenRequests?.forEach(({ audience = '', expirationSeconds: seconds }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) {
      found.duplicate(`${path}.audience`, audience);
      return;
    }
    audiences.add(audience);
    if (seconds === undefined) return;
    const at = `${path}.expirationSeconds`;
    if (seconds < 600) found.invalid(at, seconds, 'may not specify a duration less than 10 minutes');
    if (seconds > 2 ** 32) found.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  });
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycles.includes(mode)) found.notSupported('spec.volumeLifecycleModes', mode, lifecycles);
  }
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10) {
    found.invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds');
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && !spec.tokenRequests?.length) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    found.invalid('spec.serviceAccountTokenInSecrets', spec.serviceAccountTokenInSecrets, detail);
  }
  return found.all;
}
