import type { NamespaceObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123LabelName, qualifiedName } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';
import { securedNamespace } from './pod-security/pod-security.js';
import { Problems } from './problems.js';
import { keepSpec, keepStatus, statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Namespace = Unchecked<NamespaceObject>;

const standard = ['kubernetes', 'orphan', 'foregroundDeletion'];

/**
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/
 *
 * The finalizers of its spec are what keeps a namespace until it is empty, and change through `finalize` alone.
 */
export const namespaceRules: Rules = {
  default(object) {
    labelWithName(object);
    const namespace = object as unknown as Namespace;
    namespace.status ??= {};
    namespace.status.phase ||= 'Active';
  },
  prepareForCreate(object) {
    const namespace = object as unknown as Namespace;
    namespace.status = { phase: 'Active' };
    namespace.spec ??= {};
    namespace.spec.finalizers ??= [];
    if (!namespace.spec.finalizers.includes('kubernetes')) namespace.spec.finalizers.push('kubernetes');
    // A generated name is known only now.
    labelWithName(object);
  },
  prepareForUpdate(object, old) {
    const namespace = object as unknown as Namespace;
    const { finalizers } = (old as unknown as Namespace).spec ?? {};
    namespace.spec = finalizers === undefined ? {} : { finalizers };
    keepStatus(object, old);
  },
  prepareForStatusUpdate: keepSpec,
  validate: namespaceProblems,
  admitValid: securedNamespace,
  validateStatusUpdate(object) {
    const { status } = object as unknown as Namespace;
    const isLeaving = object.metadata.deletionTimestamp !== undefined;
    const expected = isLeaving ? 'Terminating' : 'Active';
    if (status?.phase === expected) return [];
    const found = new Problems();
    const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isLeaving ? 'not ' : ''}empty`;
    found.invalid('status.Phase', status?.phase ?? '', detail);
    return found.all;
  },
  nameProblems: dns1123LabelName,
  resetFields: statusApart({}).resetFields,
  allowsUnconditionalUpdate: true,
};

function labelWithName({ metadata }: Draft): void {
  if (!metadata.name) return;
  metadata.labels ??= {};
  metadata.labels['kubernetes.io/metadata.name'] = metadata.name;
}

function namespaceProblems(object: KubeObject): readonly FieldProblem[] {
  const found = new Problems();
  for (const finalizer of (object as unknown as Namespace).spec?.finalizers ?? []) {
    found.format('spec.finalizers', finalizer, qualifiedName);
    if (!finalizer.includes('/') && !standard.includes(finalizer)) {
      const detail = 'name is neither a standard finalizer name nor is it fully qualified';
      found.invalid('spec.finalizers', finalizer, detail);
    }
  }
  return found.all;
}
