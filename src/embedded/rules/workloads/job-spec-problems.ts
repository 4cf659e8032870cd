import type { JobSpec } from '../../../../imports/k8s.js';
import { dns1123Subdomain, mustMatch } from '../../../schema/name-formats.js';
import { internalJson } from '../pod-template/internal-json.js';
import { podTemplateProblems } from '../pod-template/pod-template-problems.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { failurePolicyProblems, successPolicyProblems } from './job-policy-problems.js';

type Spec = Unchecked<JobSpec>;

const modes = ['NonIndexed', 'Indexed'];
const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const many = 100_000;
const lessForMany = 10_000;

/** What is wrong with the specification of a Job, be it one or the template of one. */
export function jobSpecProblems(found: Problems, path: string, spec: Spec): void {
  found.nonNegative(`${path}.parallelism`, spec.parallelism);
  found.nonNegative(`${path}.completions`, spec.completions);
  found.nonNegative(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds);
  found.nonNegative(`${path}.backoffLimit`, spec.backoffLimit);
  found.nonNegative(`${path}.ttlSecondsAfterFinished`, spec.ttlSecondsAfterFinished);
  found.nonNegative(`${path}.backoffLimitPerIndex`, spec.backoffLimitPerIndex);
  if (spec.maxFailedIndexes !== undefined) {
    found.nonNegative(`${path}.maxFailedIndexes`, spec.maxFailedIndexes);
    if (spec.backoffLimitPerIndex === undefined) {
      found.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
    }
  }
  if (spec.managedBy !== undefined) managedByProblems(found, `${path}.managedBy`, spec.managedBy);
  completionProblems(found, path, spec);
  if (spec.podFailurePolicy) failurePolicyProblems(found, `${path}.podFailurePolicy`, spec);
  if (spec.successPolicy) {
    if (spec.completionMode === 'Indexed') successPolicyProblems(found, `${path}.successPolicy`, spec);
    else {
      const shown = internalJson('SuccessPolicy', spec.successPolicy);
      found.invalidShown(`${path}.successPolicy`, shown, 'requires indexed completion mode');
    }
  }
  replacementProblems(found, `${path}.podReplacementPolicy`, spec);
  podTemplateProblems(found, `${path}.template`, spec.template ?? {});
  restartProblems(found, `${path}.template.spec.restartPolicy`, spec);
}

function managedByProblems(found: Problems, path: string, name: string): void {
  const slash = name.indexOf('/');
  if (name === '') found.required(path);
  else if (slash <= 0 || slash === name.length - 1) {
    found.invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    found.format(path, name.slice(0, slash), dns1123Subdomain);
    const rest = name.slice(slash + 1);
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) {
      found.invalid(path, rest, mustMatch('Invalid path', pathPattern));
    }
  }
  if (name.length > 63) found.tooLong(path, 63);
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode */
function completionProblems(found: Problems, path: string, spec: Spec): void {
  const { completionMode: mode, completions, parallelism, maxFailedIndexes: mostFailed, backoffLimitPerIndex } = spec;
  if (mode !== undefined && !modes.includes(mode)) found.notSupported(`${path}.completionMode`, mode, modes);
  if (mode === undefined || mode === 'NonIndexed') {
    const detail = 'requires indexed completion mode';
    if (backoffLimitPerIndex !== undefined) {
      found.invalid(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, detail);
    }
    if (mostFailed !== undefined) found.invalid(`${path}.maxFailedIndexes`, mostFailed, detail);
  }
  if (mode !== 'Indexed') return;
  if (completions === undefined) found.required(`${path}.completions`, 'when completion mode is Indexed');
  if (parallelism !== undefined && parallelism > many) {
    const detail = `must be less than or equal to ${many} when completion mode is Indexed`;
    found.invalid(`${path}.parallelism`, parallelism, detail);
  }
  if (completions !== undefined && mostFailed !== undefined && mostFailed > completions) {
    found.invalid(`${path}.maxFailedIndexes`, mostFailed, 'must be less than or equal to completions');
  }
  if (mostFailed !== undefined && mostFailed > many) {
    found.invalid(`${path}.maxFailedIndexes`, mostFailed, `must be less than or equal to ${many}`);
  }
  if (completions === undefined || completions <= many || backoffLimitPerIndex === undefined) return;
  const detail = `must be less than or equal to ${lessForMany} when completions are above ${many} and used with backoff limit per index`;
  if (mostFailed === undefined) {
    found.required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${many}`);
  }
  if (parallelism !== undefined && parallelism > lessForMany) found.invalid(`${path}.parallelism`, parallelism, detail);
  if (mostFailed !== undefined && mostFailed > lessForMany) {
    found.invalid(`${path}.maxFailedIndexes`, mostFailed, detail);
  }
}

function replacementProblems(found: Problems, path: string, { podReplacementPolicy, podFailurePolicy }: Spec): void {
  if (podReplacementPolicy === undefined) return;
  const supported = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (!supported.includes(podReplacementPolicy)) found.notSupported(path, podReplacementPolicy, supported);
}

/** A Job ends, so its Pods must not start again for ever. */
function restartProblems(found: Problems, path: string, { template, podFailurePolicy }: Spec): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') found.required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') found.notSupported(path, policy, ['OnFailure', 'Never']);
  else if (podFailurePolicy && policy !== 'Never') {
    found.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
