import type { LabelSelector, PodDisruptionBudgetObject, PodDisruptionBudgetStatus } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { timestamp } from '../../kube/timestamp.js';
import { equal } from '../fields/field-type.js';
import type { Kinds } from '../kinds/kinds.js';
import type { Revision } from '../object-store.js';
import { budgets, deployments, type Live, pods, replicaSets, statefulSets } from './built-in.js';
import { conditionOf } from './conditions.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { share } from './counts.js';
import { expectedPods } from './expected-pods.js';
import { selects } from './label-match.js';
import { isReady, isTerminating, type Pod } from './pod-state.js';

type Budget = Live<PodDisruptionBudgetObject>;

/** How long an eviction that was allowed counts, when the Pod does not go. */
const disruptionMilliseconds = 120_000;

/** How many Pods may be evicted now: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/ */
export class DisruptionBudgets implements Controller {
  readonly name = 'disruption-budgets';
  readonly hears = [budgets.storage, pods.storage, deployments.storage, replicaSets.storage, statefulSets.storage];

  constructor(
    private readonly desk: Desk,
    private readonly kinds: Kinds,
  ) {}

  observe({ resource, object, before }: Revision, queue: Queue): void {
    if (resource === budgets.storage) {
      queue.add(keyOf(object));
      return;
    }
    for (const budget of this.desk.index.in(budgets.storage, object.metadata.namespace ?? '').values()) {
      const { selector } = (budget as Budget).spec ?? {};
      const concerns = (each: KubeObject | undefined) => each && selects(selector, each.metadata.labels);
      if (resource !== pods.storage || concerns(object) || concerns(before)) queue.add(keyOf(budget));
    }
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const budget = this.desk.index.get(budgets, namespace, name);
    if (!budget) return;
    const { selector } = budget.spec ?? {};
    const all = this.desk.index.list(pods, namespace).filter(({ metadata }) => selects(selector, metadata.labels));
    if (all.length === 0) this.desk.events.normal(budget, 'NoPods', 'No matching pods found');
    const status = this.#statusOf(budget, all, queue);
    if (equal(status as unknown as Json, (budget.status ?? {}) as unknown as Json)) return;
    this.desk.writer.updateStatus(budgets, { ...budget, status });
  }

  #statusOf(budget: Budget, all: readonly Pod[], queue: Queue): PodDisruptionBudgetStatus {
    const { maxUnavailable, minAvailable } = budget.spec ?? {};
    const byController = maxUnavailable !== undefined || typeof minAvailable === 'string';
    const asked = byController ? expectedPods(this.desk.index, this.kinds, all) : { count: all.length };
    if (typeof asked === 'string') return this.#failed(budget, asked);
    if ('hasUnmanaged' in asked && asked.hasUnmanaged) this.#tellUnmanaged(budget);
    const { count: expected } = asked;
    const desired =
      maxUnavailable === undefined
        ? share(minAvailable, expected, 'up')
        : Math.max(0, expected - share(maxUnavailable, expected, 'up'));
    const disrupted = this.#disrupted(budget, all, queue);
    const healthy = all.filter((pod) => !isTerminating(pod) && isReady(pod) && !(pod.metadata.name in disrupted));
    const allowed = expected === 0 ? 0 : Math.max(0, healthy.length - desired);
    const { generation } = budget.metadata;
    return {
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
      disruptionsAllowed: allowed,
      currentHealthy: healthy.length,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: this.#conditions(budget, allowed > 0, allowed > 0 ? 'SufficientPods' : 'InsufficientPods', ''),
    };
  }

  #tellUnmanaged(budget: Budget): void {
    const message = `Pods selected by this PodDisruptionBudget (selector: ${selectorText(budget.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
    this.desk.events.warning(budget, 'UnmanagedPods', message);
  }

  #disrupted(budget: Budget, all: readonly Pod[], queue: Queue): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [name, since] of Object.entries(budget.status?.disruptedPods ?? {})) {
      const left = Date.parse(since) + disruptionMilliseconds - this.desk.clock.now();
      if (left < 0 || !all.some((pod) => pod.metadata.name === name && !isTerminating(pod))) continue;
      found[name] = since;
      queue.addAfter(keyOf(budget), left + 1);
    }
    return found;
  }

  #failed(budget: Budget, message: string): PodDisruptionBudgetStatus {
    const said = `Failed to calculate the number of expected pods: ${message}`;
    this.desk.events.warning(budget, 'CalculateExpectedPodCountFailed', said);
    const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0, ...status } = budget.status ?? {};
    const conditions = this.#conditions(budget, false, 'SyncFailed', message);
    return { ...status, currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed: 0, conditions };
  }

  #conditions({ metadata, status }: Budget, holds: boolean, reason: string, message: string) {
    const value = holds ? 'True' : 'False';
    const known = conditionOf(status?.conditions, 'DisruptionAllowed');
    const lastTransitionTime = known?.status === value ? known.lastTransitionTime : timestamp(this.desk.clock.now());
    const others = (status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionAllowed');
    const { generation = 0 } = metadata;
    const condition = { type: 'DisruptionAllowed', status: value, observedGeneration: generation };
    return [...others, { ...condition, lastTransitionTime, reason, message }];
  }
}

/** As Go prints one. */
function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
