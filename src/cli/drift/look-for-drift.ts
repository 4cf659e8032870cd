import type { Cluster } from '../../client/cluster.js';
import type { Operator } from '../../compose/operator.js';
import { belongsTo } from '../../drift/belonging.js';
import { customResourceMode } from '../../drift/custom-resource-mode.js';
import { DriftPolicy } from '../../drift/drift-policy.js';
import { plan } from '../../drift/plan.js';
import { type ApiResource, groupKindOf } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { namespaceKind } from '../../kube/consent.js';
import type { DriftMode } from '../../kube/drift-mode.js';
import { OperatorError } from '../../kube/errors.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import { Consents } from '../../runtime/consents.js';
import { ownerOf } from '../../runtime/far-children.js';
import { occasionOf } from '../../runtime/occasions.js';
import { queueKey } from '../../runtime/queue-key.js';
import { ReadInputs } from '../../runtime/read-inputs.js';
import { type DriftRow, driftRows } from './drift-row.js';
import { ListedKind } from './listed-kind.js';

export interface LookOptions {
  readonly cluster: Cluster;
  readonly operators: readonly Operator[];
  readonly clock: Clock;
  /** Of custom resources. Absent: all. */
  readonly namespace?: string | undefined;
  /** Only this custom resource. */
  readonly only?: { readonly resource: ApiResource; readonly name: string } | undefined;
  /** What the controller was told by its flag. */
  readonly mode?: DriftMode | undefined;
  /** True where it was told by its flag that all namespaces are of one tenant. */
  readonly assumeConsent?: boolean | undefined;
}

/** What was found, and what was looked at. */
export interface Found {
  readonly rows: readonly DriftRow[];
  /** What could not be looked at, and why. */
  readonly problems: readonly string[];
  readonly kinds: readonly ListedKind[];
}

/**
 * Looks for drift with what the controller decides by: the operators' own composition, and the plan that follows.
 *
 * **Guarantees.** It only reads: one list a kind. Throws what a list throws; what an author's code throws, or a custom
 * resource asks in vain, is a problem of that custom resource.
 */
export async function lookForDrift(options: LookOptions): Promise<Found> {
  const { cluster, operators, clock, namespace, only, mode, assumeConsent = false } = options;
  const kinds = new Map<string, ListedKind>();
  const nameOf = (resource: ApiResource) => `${groupKindOf(resource)} ${resource.apiVersion}`;
  const meant = operators.filter(({ resource }) => !only || groupKindOf(resource) === groupKindOf(only.resource));
  if (only && meant.length === 0) {
    throw new OperatorError(`no operator has the kind ${only.resource.kind}`, {
      hint: `there are operators of ${operators.map(({ resource }) => resource.kind).join(', ')}`,
    });
  }
  for (const { resource, owns, reads, reach } of meant) {
    const asked = reach === 'consent' && !assumeConsent ? [namespaceKind] : [];
    for (const each of [resource, ...owns, ...Object.values(reads).map((read) => read.resource), ...asked]) {
      if (kinds.has(nameOf(each))) continue;
      // Children and inputs may be in other namespaces than the custom resource, where the operator reaches further.
      const isLocal = each === resource || reach === 'namespace';
      kinds.set(nameOf(each), await ListedKind.of(cluster, each, isLocal ? namespace : undefined));
    }
  }
  const kindOf = (resource: ApiResource) => kinds.get(nameOf(resource)) as ListedKind;

  const rows: DriftRow[] = [];
  const problems: string[] = [];
  let seen = 0;
  for (const operator of meant) {
    const inputs = new ReadInputs(operator.reads, (read) => kindOf(read.resource));
    const { reach } = operator;
    const isAssumed = reach !== 'consent' || assumeConsent;
    const namespaces = isAssumed ? undefined : kindOf(namespaceKind);
    const consents = new Consents({ reach, isAssumed, namespaces });
    const policy = DriftPolicy.of({ ...operator.drift, mode: mode ?? operator.drift.mode });
    for (const cr of kindOf(operator.resource).list()) {
      if ((only && cr.metadata.name !== only.name) || cr.metadata.deletionTimestamp !== undefined) continue;
      seen++;
      try {
        const key = queueKey(cr.metadata.namespace, cr.metadata.name);
        const occasion = occasionOf(key, cr, { operator, inputs, consents });
        const { children } = operator.composition(occasion.cr, occasion.inputs);
        const own = policy.withFallback(customResourceMode(cr, clock.now())?.mode);
        const steps = stepsOf(operator, cr, children, own, kindOf).filter((step) => {
          const refusal = 'manifest' in step ? consents.refusal(key, cr, step.manifest) : undefined;
          // The controller does not write there either, and says so.
          if (refusal) problems.push(`${show(refOf(cr))}: ${refusal.message}; ${refusal.hint}`);
          return refusal === undefined;
        });
        rows.push(...driftRows(cr, steps));
      } catch (error) {
        problems.push(`${show(refOf(cr))}: ${(error as Error).message}`);
      }
    }
  }
  if (only && seen === 0) throw new OperatorError(`${only.resource.kind}/${only.name} is not there`);
  return { rows, problems, kinds: [...kinds.values()] };
}

function stepsOf(
  operator: Operator,
  cr: KubeObject,
  children: readonly Manifest[],
  policy: DriftPolicy,
  kindOf: (resource: ApiResource) => ListedKind,
) {
  const served = operator.owns.filter((resource) => kindOf(resource).isServed);
  const resourceOf = (manifest: Manifest) => served.find((resource) => groupKindOf(resource) === groupKindOf(manifest));
  const owner = ownerOf(cr);
  return plan({
    owner,
    manager: operator.name,
    desired: children.filter((child) => resourceOf(child) !== undefined),
    observe(manifest) {
      const { name, namespace } = manifest.metadata;
      return kindOf(resourceOf(manifest) as ApiResource).get(namespace, name);
    },
    controlled: served.flatMap((resource) =>
      kindOf(resource)
        .list()
        .filter((object) => belongsTo(owner, object)),
    ),
    remembered: new Map(),
    policy,
  });
}
