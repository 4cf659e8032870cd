import type { MutatingWebhook, MutatingWebhookConfigurationObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { dns1035Label, dns1123Subdomain, dns1123SubdomainName } from '../../schema/name-formats.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { saysMore } from '../said-more.js';
import { conditionProblems, defaultRule, failurePolicies, matchPolicies, ruleProblems } from './admission-matching.js';
import { hasBadValue, type LabelSelector, selectorProblems } from './label-selector.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';
import { webhookClientProblems } from './webhook-client-problems.js';

/** A webhook of either configuration: the mutating ones have all that the others have. */
type Webhook = Unchecked<MutatingWebhook>;

/** What a change may keep, because it was there before. */
interface Tolerance {
  readonly sideEffects: boolean;
  readonly versions: boolean;
  readonly names: boolean;
  readonly values: boolean;
}

const strict: Tolerance = { sideEffects: false, versions: false, names: false, values: false };
const noSideEffects = ['None', 'NoneOnDryRun'];
const anySideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const knownVersions = ['v1', 'v1beta1'];

/**
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 *
 * Configurations are kept and judged, but no webhook is ever called, and the expressions of their conditions are not read.
 */
export const validatingWebhookConfigurationRules: Rules = webhookRules(false);

/** The same, for webhooks that change what they are asked about. */
export const mutatingWebhookConfigurationRules: Rules = webhookRules(true);

function webhookRules(isMutating: boolean): Rules {
  return {
    default(object) {
      for (const webhook of webhooksOf(object as unknown as KubeObject)) defaultWebhook(webhook, isMutating);
    },
    validate: (object) => configurationProblems(object, strict, isMutating).all,
    validateUpdate(object, old) {
      const before = webhooksOf(old);
      const tolerance: Tolerance = {
        sideEffects: before.some(({ sideEffects }) => !noSideEffects.includes(sideEffects ?? '')),
        versions: before.some(({ admissionReviewVersions: all }) => !all?.some((each) => knownVersions.includes(each))),
        names: new Set(before.map(({ name }) => name)).size < before.length,
        values: before.some((each) => selectorsOf(each).some(hasBadValue)),
      };
      return configurationProblems(object, tolerance, isMutating).all;
    },
    nameProblems: dns1123SubdomainName,
    generation: (object, old) =>
      saysMore(object.webhooks) || !equal((object.webhooks ?? []) as Json, (old.webhooks ?? []) as Json),
    allowsUnconditionalUpdate: false,
  };
}

function webhooksOf(object: KubeObject): readonly Webhook[] {
  return (object as unknown as Unchecked<MutatingWebhookConfigurationObject>).webhooks ?? [];
}

function selectorsOf({ namespaceSelector, objectSelector }: Webhook): readonly (LabelSelector | undefined)[] {
  return [namespaceSelector, objectSelector] as readonly (LabelSelector | undefined)[];
}

function defaultWebhook(webhook: Webhook, isMutating: boolean): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (isMutating) webhook.reinvocationPolicy ??= 'Never';
  for (const rule of webhook.rules ?? []) defaultRule(rule);
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
}

function configurationProblems(object: KubeObject, tolerance: Tolerance, isMutating: boolean): Problems {
  const found = new Problems();
  const names = new Set<string>();
  webhooksOf(object).forEach((webhook, index) => {
    const path = `webhooks[${index}]`;
    webhookProblems(found, path, webhook, tolerance, isMutating);
    versionProblems(found, `${path}.admissionReviewVersions`, webhook.admissionReviewVersions ?? [], tolerance);
    const { name = '' } = webhook;
    if (name !== '' && names.has(name) && !tolerance.names) found.duplicate(`${path}.name`, name);
    names.add(name);
  });
  return found;
}

function webhookProblems(
  found: Problems,
  path: string,
  webhook: Webhook,
  tolerance: Tolerance,
  isMutating: boolean,
): void {
  const { name = '', rules = [], failurePolicy, matchPolicy, timeoutSeconds: seconds } = webhook;
  // Where there are none, null stands for them.
  const sideEffects = webhook.sideEffects ?? undefined;
  qualifiedNameProblems(found, `${path}.name`, name);
  rules.forEach((rule, index) => {
    ruleProblems(found, `${path}.rules[${index}]`, rule);
  });
  if (failurePolicy !== undefined && !failurePolicies.includes(failurePolicy)) {
    found.notSupported(`${path}.failurePolicy`, failurePolicy, failurePolicies);
  }
  if (matchPolicy !== undefined && !matchPolicies.includes(matchPolicy)) {
    found.notSupported(`${path}.matchPolicy`, matchPolicy, matchPolicies);
  }
  const allowed = tolerance.sideEffects ? anySideEffects : noSideEffects;
  if (sideEffects === undefined) found.required(`${path}.sideEffects`, `must specify one of ${allowed.join(', ')}`);
  else if (!allowed.includes(sideEffects)) found.notSupported(`${path}.sideEffects`, sideEffects, allowed);
  if (seconds !== undefined && (seconds > 30 || seconds < 1)) {
    found.invalid(`${path}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds');
  }
  const takesBadValues = tolerance.values;
  const [namespaceSelector, objectSelector] = selectorsOf(webhook);
  found.add(selectorProblems(namespaceSelector, `${path}.namespaceSelector`, { takesBadValues }));
  found.add(selectorProblems(objectSelector, `${path}.objectSelector`, { takesBadValues }));
  const policy = webhook.reinvocationPolicy;
  if (isMutating && policy !== undefined && policy !== 'Never' && policy !== 'IfNeeded') {
    found.notSupported(`${path}.reinvocationPolicy`, policy, ['IfNeeded', 'Never']);
  }
  webhookClientProblems(found, `${path}.clientConfig`, webhook.clientConfig ?? {});
  conditionProblems(found, `${path}.matchConditions`, webhook.matchConditions ?? []);
}

function qualifiedNameProblems(found: Problems, path: string, name: string): void {
  if (name === '') {
    found.required(path);
    return;
  }
  const bad = dns1123Subdomain(name);
  if (bad.length > 0) {
    found.invalid(path, name, bad.join(','));
    return;
  }
  if (name.split('.').length < 3) {
    found.invalid(path, name, 'should be a domain with at least three segments separated by dots');
  }
}

function versionProblems(found: Problems, path: string, versions: readonly string[], tolerance: Tolerance): void {
  if (versions.length === 0) {
    found.required(path, `must specify one of ${knownVersions.join(', ')}`);
    return;
  }
  versions.forEach((version, index) => {
    const at = `${path}[${index}]`;
    if (versions.indexOf(version) < index) found.invalid(at, version, 'duplicate version');
    else found.format(at, version, dns1035Label);
  });
  if (!tolerance.versions && !versions.some((version) => knownVersions.includes(version))) {
    found.invalid(path, versions, `must include at least one of ${knownVersions.join(', ')}`);
  }
}
