import type { RuntimeClassObject, Toleration } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { goJson } from '../../schema/go-format.js';
import { dns1123Label, dns1123SubdomainName } from '../../schema/name-formats.js';
import { labelProblems } from '../../schema/object-meta.js';
import type { Rules } from '../kinds/served-kind.js';
import { resourceProblems } from './pod-template/resource-problems.js';
import { tolerationProblems } from './pod-template/toleration-problems.js';
import { Problems } from './problems.js';
import { containerResourceNameProblems } from './resource-names.js';
import type { Unchecked } from './unchecked.js';

type RuntimeClass = Unchecked<RuntimeClassObject>;

const nobody: ReadonlySet<string> = new Set();

/** https://kubernetes.io/docs/concepts/containers/runtime-class/ */
export const runtimeClassRules: Rules = {
  validate: classProblems,
  validateUpdate(object, old) {
    const found = new Problems();
    found.add(classProblems(object));
    if ((object.handler ?? '') !== (old.handler ?? '')) {
      found.invalid('handler', object.handler ?? '', 'field is immutable');
    }
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};

function classProblems(object: KubeObject): readonly FieldProblem[] {
  const { handler = '', overhead, scheduling } = object as unknown as RuntimeClass;
  const found = new Problems();
  if (handler === '') found.required('handler');
  else found.format('handler', handler, dns1123Label);
  if (overhead !== undefined) {
    const limits = overhead.podFixed;
    resourceProblems(found, 'overhead', limits === undefined ? {} : { limits }, nobody, containerResourceNameProblems);
  }
  if (scheduling === undefined) return found.all;
  found.add(labelProblems(scheduling.nodeSelector as Record<string, string> | undefined, 'scheduling.nodeSelector'));
  const tolerations = scheduling.tolerations ?? [];
  tolerationProblems(found, 'scheduling.tolerations', tolerations);
  const seen = new Set<string>();
  tolerations.forEach((toleration, index) => {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const id = goJson([key, operator, value, effect]);
    if (seen.has(id)) {
      found.duplicateShown(`scheduling.tolerations[${index}]`, shown(toleration));
    }
    seen.add(id);
  });
  return found.all;
}

/** A toleration as the server prints it: its own struct. */
function shown({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Unchecked<Toleration>): string {
  const fields = {
    Key: key,
    Operator: operator,
    Value: value,
    Effect: effect,
    TolerationSeconds: tolerationSeconds ?? null,
  };
  return `{${Object.entries(fields)
    .map(([name, each]) => `"${name}":${goJson(each)}`)
    .join(',')}}`;
}
