import type { PriorityClassObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { forbidden } from '../status-error.js';
import { Problems } from './problems.js';
import { priorityClassStorage, systemPriorityClass } from './system-priority-classes.js';
import type { Unchecked } from './unchecked.js';

type PriorityClass = Unchecked<PriorityClassObject>;

const highest = 1_000_000_000;
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass */
export const priorityClassRules: Rules = {
  default(object) {
    const priorityClass = object as unknown as PriorityClass;
    priorityClass.value ??= 0;
    priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  validate: classProblems,
  validateUpdate(object, old) {
    const [now, was] = [object, old].map((each) => each as unknown as PriorityClass);
    const found = new Problems();
    if (now?.value !== was?.value) found.forbidden('value', 'may not be changed in an update.');
    if (now?.preemptionPolicy !== was?.preemptionPolicy) {
      found.invalid('preemptionPolicy', now?.preemptionPolicy ?? null, 'field is immutable');
    }
    return found.all;
  },
  admitValid(object, old, world) {
    if ((object as unknown as PriorityClass).globalDefault !== true) return [];
    const other = world
      .list(priorityClassStorage)
      .find((each) => (each as unknown as PriorityClass).globalDefault === true);
    if (other === undefined || (old !== undefined && other.metadata.name === object.metadata.name)) return [];
    const because = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
    throw forbidden({ group: 'scheduling.k8s.io', name: 'priorityclasses' }, object.metadata.name, because);
  },
  nameProblems: dns1123SubdomainName,
  refuseDeletion(name) {
    return systemPriorityClass(name) && 'this is a system priority class and cannot be deleted';
  },
  // It begins at 1 and never grows.
  generation: () => false,
};

function classProblems(object: KubeObject): readonly FieldProblem[] {
  const { value = 0, globalDefault = false, preemptionPolicy } = object as unknown as PriorityClass;
  // Whether there is one is judged elsewhere.
  const { name = '' } = object.metadata;
  const found = new Problems();
  if (name.startsWith('system-')) {
    const fault = systemFault(name, value, globalDefault);
    if (fault !== undefined) {
      const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
      found.forbidden('metadata.name', reserved + fault);
    }
  } else if (value > highest) {
    found.forbidden('value', `maximum allowed value of a user defined priority is ${highest}`);
  }
  if (preemptionPolicy === '') found.required('preemptionPolicy');
  else if (preemptionPolicy !== undefined && !preemptionPolicies.includes(preemptionPolicy)) {
    found.notSupported('preemptionPolicy', preemptionPolicy, preemptionPolicies);
  }
  return found.all;
}

function systemFault(name: string, value: number, isDefault: boolean): string | undefined {
  const known = systemPriorityClass(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known.value !== value) return `value of ${name} PriorityClass must be ${known.value}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
