import { expect, it } from '@jest/globals';
import { Pod } from '../../../imports/k8s.js';
import {
  AlreadyExistsError,
  type ApiError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  TransportError,
} from '../../../src/client/api-error.js';
import type { Cluster } from '../../../src/client/cluster.js';
import { DriftPolicy } from '../../../src/drift/drift-policy.js';
import type { Step } from '../../../src/drift/plan.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { execute } from '../../../src/runtime/writes/execute.js';

const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'b' } };
const managedFields = [{ manager: 'us', operation: 'Apply' } as const];
const observed: KubeObject = {
  ...manifest,
  metadata: { ...manifest.metadata, uid: '1', resourceVersion: '1', managedFields },
};
const step: Step = {
  type: 'apply',
  manifest,
  observed,
  fold: false,
  isAsNoted: false,
  adopted: false,
  claim: [],
  removable: () => [],
  drift: [],
  reported: [],
};
const refused = (...causes: readonly { readonly field?: string; readonly message: string }[]) =>
  new InvalidError('refused', {
    status: { details: { causes: causes.map((cause) => ({ reason: 'FieldValueForbidden', ...cause })) } },
  });
const image = { field: 'spec', message: 'Forbidden: pod updates may not change fields other than `spec.image`' };
const claims = {
  field: 'spec',
  message: "Forbidden: updates to statefulset spec for fields other than 'replicas' and 'template' are forbidden",
};
// Of a PodGroup and of a Workload, which come with 1.37.
const [cleared, removed] = [
  { field: 'spec.schedulingPolicy.gang', message: 'Invalid value: null: field cannot be cleared once set' },
  { field: 'spec.podGroupTemplates', message: 'Forbidden: item may not be removed' },
];
const toleration = { field: 'spec.tolerations', message: 'Forbidden: existing toleration can not be modified' };
const flag = { field: 'metadata.labels', message: 'Invalid value: "immutable flag": a valid label must consist of' };
const port = { field: 'spec.ports[0].nodePort', message: 'Invalid value: 30080: provided port is already allocated' };
const created = { field: 'spec.size', message: 'Invalid value: 3: it is judged only of a new one' };
const policy = { message: 'ValidatingAdmissionPolicy "a" with binding "b" denied request: not here' };
const there = new AlreadyExistsError('it is there');

it.each<[string, InvalidError, ApiError, readonly string[] | undefined]>([
  ['of what it says alone', refused(image), there, ['spec']],
  [
    'of what it says, and of what it says may change',
    refused(claims),
    there,
    ["spec (but for 'replicas' and 'template')"],
  ],
  ['by the words of later versions', refused(cleared, removed), there, [cleared.field, removed.field]],
  ['beside what is refused of a change, too, in other words', refused(toleration, image), there, ['spec']],
  ['beside what is refused of a new one as well', refused(toleration, image), refused(toleration), undefined],
  ['beside what nobody can tell of', refused(toleration, image), new TransportError('no answer'), undefined],
  ['beside a port that the old one has', refused(image), refused(port), ['spec']],
  ['beside a port that another has', refused(image, port), refused(port), undefined],
  ['beside what is refused of a new one alone', refused(image), refused(created), undefined],
  ['beside a port and what is refused of a new one alone', refused(image), refused(port, created), undefined],
  ['of what a policy denies', refused(image), refused(policy), undefined],
  ['of what is refused without a word why', refused(image), new InvalidError('refused'), undefined],
  ['of what a webhook or a quota forbids', refused(image), new ForbiddenError('exceeded quota'), undefined],
  ['of what goes to a namespace that is gone', refused(image), new NotFoundError('no namespace'), undefined],
  ['of nothing', refused(toleration), there, undefined],
  ['of a value that says so', refused(flag), refused(flag), undefined],
])('what may be written once is known %s', async (_, ofApply, ofDryRun, fields) => {
  const cluster = {
    apply: () => Promise.reject(ofApply),
    create: () => Promise.reject(ofDryRun),
  } as Partial<Cluster> as Cluster;
  const execution = { cluster, manager: 'us', resource: Pod, policy: DriftPolicy.enforcing };
  const { error, immutable } = await execute(step, { ...execution, signal: new AbortController().signal });
  expect(error).toBe(ofApply);
  expect(immutable).toEqual(fields);
});
