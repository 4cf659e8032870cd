import type {
  CertificateSigningRequestObject,
  ConfigMapObject,
  FlowSchemaObject,
  LeaseObject,
  MutatingAdmissionPolicyBindingObject,
  MutatingAdmissionPolicyObject,
  PriorityLevelConfigurationObject,
  ResourceClaimObject,
  ResourceSliceObject,
  SecretObject,
  ValidatingAdmissionPolicyBindingObject,
  ValidatingAdmissionPolicyObject,
} from '../../../../imports/k8s.js';
import { humanDuration } from '../../custom/human-duration.js';
import { age, type Columns, column, integer } from './column.js';
import { selectorText } from './labels-text.js';

export const configMapColumns: Columns = {
  columns: [
    column<ConfigMapObject>(
      'Data',
      ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    ),
  ],
};

export const secretColumns: Columns = {
  columns: [
    column<SecretObject>('Type', ({ type }) => type ?? ''),
    column<SecretObject>('Data', ({ data }) => Object.keys(data ?? {}).length),
  ],
};

export const leaseColumns: Columns = {
  columns: [column<LeaseObject>('Holder', ({ spec }) => spec?.holderIdentity ?? '')],
};

type Csr = CertificateSigningRequestObject;
export const certificateSigningRequestColumns: Columns = {
  columns: [
    age,
    column<Csr>('SignerName', ({ spec }) => spec.signerName || '<none>'),
    column<Csr>('Requestor', ({ spec }) => spec.username ?? ''),
    column<Csr>('RequestedDuration', ({ spec }) =>
      spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
    ),
    column<Csr>('Condition', ({ status }) => {
      const has = (wanted: string) => status?.conditions?.some(({ type }) => type === wanted);
      const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
      return `${verdict}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
    }),
  ],
};

export const webhookColumns: Columns = {
  columns: [
    column<{ readonly webhooks?: readonly unknown[] }>('Webhooks', ({ webhooks }) => (webhooks ?? []).length, integer),
  ],
};

type Policy = ValidatingAdmissionPolicyObject | MutatingAdmissionPolicyObject;
const paramKind = column<Policy>('ParamKind', ({ spec }) =>
  spec?.paramKind ? `${spec.paramKind.apiVersion}/${spec.paramKind.kind}` : '<unset>',
);

export const validatingPolicyColumns: Columns = {
  columns: [
    column<ValidatingAdmissionPolicyObject>('Validations', ({ spec }) => (spec?.validations ?? []).length, integer),
    paramKind,
  ],
};

export const mutatingPolicyColumns: Columns = {
  columns: [
    column<MutatingAdmissionPolicyObject>('Mutations', ({ spec }) => (spec?.mutations ?? []).length, integer),
    paramKind,
  ],
};

type PolicyBinding = ValidatingAdmissionPolicyBindingObject | MutatingAdmissionPolicyBindingObject;
export const policyBindingColumns: Columns = {
  columns: [
    column<PolicyBinding>('PolicyName', ({ spec }) => spec?.policyName ?? ''),
    column<PolicyBinding>('ParamRef', ({ spec }) => {
      const param = spec?.paramRef;
      if (param?.name) return `${param.namespace || '*'}/${param.name}`;
      return param?.selector ? selectorText(param.selector) : '<unset>';
    }),
  ],
};

export const flowSchemaColumns: Columns = {
  columns: [
    column<FlowSchemaObject>('PriorityLevel', ({ spec }) => spec?.priorityLevelConfiguration.name ?? ''),
    column<FlowSchemaObject>('MatchingPrecedence', ({ spec }) => spec?.matchingPrecedence ?? 0),
    column<FlowSchemaObject>('DistinguisherMethod', ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>'),
    age,
    column<FlowSchemaObject>(
      'MissingPL',
      ({ status }) => status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
    ),
  ],
};

type PriorityLevel = PriorityLevelConfigurationObject;
const queuing = ({ spec }: PriorityLevel) => spec?.limited?.limitResponse?.queuing;
export const priorityLevelColumns: Columns = {
  columns: [
    column<PriorityLevel>('Type', ({ spec }) => spec?.type ?? ''),
    column<PriorityLevel>(
      'NominalConcurrencyShares',
      ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? '<none>',
    ),
    column<PriorityLevel>('Queues', (level) => queuing(level)?.queues ?? '<none>'),
    column<PriorityLevel>('HandSize', (level) => queuing(level)?.handSize ?? '<none>'),
    column<PriorityLevel>('QueueLengthLimit', (level) => queuing(level)?.queueLengthLimit ?? '<none>'),
  ],
};

export const resourceClaimColumns: Columns = {
  columns: [
    column<ResourceClaimObject>('State', ({ metadata, status }) => {
      const isDeleted = Boolean(metadata?.deletionTimestamp);
      if (!status?.allocation) return isDeleted ? 'deleted' : 'pending';
      const states = [isDeleted && 'deleted', 'allocated', status.reservedFor?.length && 'reserved'];
      return states.filter(Boolean).join(',');
    }),
  ],
};

export const resourceSliceColumns: Columns = {
  columns: [
    column<ResourceSliceObject>('Node', ({ spec }) => spec.nodeName ?? ''),
    column<ResourceSliceObject>('Driver', ({ spec }) => spec.driver),
    column<ResourceSliceObject>('Pool', ({ spec }) => spec.pool.name),
  ],
};
