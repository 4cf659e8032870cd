import type { StorageClassObject, TopologySelectorTerm } from '../../../imports/k8s.js';
import { canonical } from '../../kube/canonical-json.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { oldNodeLabel } from './old-node-labels.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type StorageClass = Unchecked<StorageClassObject>;

const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const mostParameters = 512;
const mostBytes = 256 * 1024;

/** https://kubernetes.io/docs/concepts/storage/storage-classes/ */
export const storageClassRules: Rules = {
  default(object) {
    const storageClass = object as unknown as StorageClass;
    storageClass.reclaimPolicy ??= 'Delete';
    storageClass.volumeBindingMode ??= 'Immediate';
  },
  validate: classProblems,
  validateUpdate(object, old) {
    const found = new Problems();
    found.add(classProblems(object));
    const empty: Readonly<Record<string, Json>> = { parameters: {}, provisioner: '' };
    for (const field of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
      const [now, was] = [object, old].map((each) => (each[field] ?? empty[field] ?? null) as Json);
      if (!equal(now, was))
        found.invalid(field, object[field] ?? (field === 'provisioner' ? '' : null), 'field is immutable');
    }
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
  warnings(object) {
    const { allowedTopologies = [] } = object as unknown as StorageClass;
    return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
      matchLabelExpressions.flatMap(({ key = '' }, at) => {
        const message = oldNodeLabel(key);
        return message ? [`allowedTopologies[${index}].matchLabelExpressions[${at}].key: ${message}`] : [];
      }),
    );
  },
};

function classProblems(object: KubeObject): readonly FieldProblem[] {
  const { provisioner = '', parameters = {}, reclaimPolicy, volumeBindingMode } = object as unknown as StorageClass;
  const found = new Problems();
  if (provisioner === '') found.required('provisioner');
  else found.qualifiedName('provisioner', provisioner.toLowerCase());
  parameterProblems(found, parameters as Record<string, string>);
  if (reclaimPolicy === undefined) found.required('reclaimPolicy');
  else if (!reclaimPolicies.includes(reclaimPolicy)) {
    found.notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies);
  }
  if (volumeBindingMode === undefined) found.required('volumeBindingMode');
  else if (!bindingModes.includes(volumeBindingMode)) {
    found.notSupported('volumeBindingMode', volumeBindingMode, bindingModes);
  }
  topologyProblems(found, (object as unknown as StorageClass).allowedTopologies ?? []);
  return found.all;
}

function parameterProblems(found: Problems, parameters: Readonly<Record<string, string>>): void {
  const entries = Object.entries(parameters);
  if (entries.length > mostParameters) {
    found.tooLong('parameters', mostParameters);
    return;
  }
  if (entries.some(([key]) => key === '')) found.invalid('parameters', '', 'field can not be empty.');
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > mostBytes) found.tooLong('parameters', mostBytes);
}

function topologyProblems(found: Problems, terms: readonly Unchecked<TopologySelectorTerm>[]): void {
  const seen = new Set<string>();
  terms.forEach(({ matchLabelExpressions = [] }, index) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const byKey: Record<string, readonly string[]> = {};
    matchLabelExpressions.forEach(({ key = '', ...given }, at) => {
      const values = given.values ?? [];
      const each = `${path}[${at}]`;
      if (values.length === 0) found.required(`${each}.values`);
      values.forEach((value, place) => {
        if (values.indexOf(value) < place) found.duplicate(`${each}.values[${place}]`, value);
      });
      found.qualifiedName(`${each}.key`, key);
      if (Object.hasOwn(byKey, key)) found.duplicate(`${each}.key`, key);
      byKey[key] = [...new Set(values)].sort();
    });
    const term = canonical(byKey);
    if (seen.has(term)) found.duplicate(path, '');
    seen.add(term);
  });
}
