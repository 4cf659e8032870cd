import { ForbiddenError, NotFoundError } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import type { Operator } from '../../compose/operator.js';
import { belongsTo } from '../../drift/belonging.js';
import { customResourceMode } from '../../drift/custom-resource-mode.js';
import { DriftPolicy } from '../../drift/drift-policy.js';
import { doubtOf } from '../../drift/empty-composition.js';
import { inventoryOf } from '../../drift/inventory.js';
import { plan, type Step } from '../../drift/plan.js';
import { type ApiResource, isSameKind, kindAmong, showInVersion } from '../../kube/api-resource.js';
import { type Clock, othersTurn } from '../../kube/clock.js';
import { namespaceKind } from '../../kube/consent.js';
import type { DriftMode } from '../../kube/drift-mode.js';
import { OperatorError } from '../../kube/errors.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import { controllerOf } from '../../kube/owner-reference.js';
import { namingErrors } from '../../runtime/author/authors-error.js';
import { Consents } from '../../runtime/author/consents.js';
import { occasionOf } from '../../runtime/author/occasions.js';
import { ReadInputs } from '../../runtime/author/read-inputs.js';
import { ownerOf } from '../../runtime/children/far-children.js';
import { withRivals } from '../../runtime/children/rival.js';
import { Discretion } from '../../runtime/discretion.js';
import { Breather } from '../../runtime/process/breather.js';
import { queueKey } from '../../runtime/queue/queue-key.js';
import { neededKinds } from '../../runtime/status/needed-kinds.js';
import { messageOf } from '../../runtime/status/status.js';
import { isSuspended, refuseUnknownSuspension } from '../../runtime/status/suspension.js';
import { refusalOf } from '../../runtime/writes/refused-error.js';
import { notThere } from '../not-there.js';
import { type DriftRow, driftRows } from './drift-row.js';
import type { ListedKind } from './listed-kind.js';
import { ListedKinds } from './listed-kinds.js';

export interface LookOptions {
  readonly cluster: Cluster;
  readonly operators: readonly Operator[];
  readonly clock: Clock;
  /** Of custom resources: those that are in no namespace are left out. Absent: all. */
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
  const { cluster, operators, clock, only, mode, assumeConsent = false } = options;
  const meant = operators.filter(({ resource }) => !only || isSameKind(resource, only.resource));
  if (only && meant.length === 0) {
    throw new OperatorError(`no operator has the kind ${only.resource.kind}`, {
      hint: `there are operators of ${operators.map(({ resource }) => resource.kind).join(', ')}`,
    });
  }
  // kubectl takes no notice of a namespace, too, where it is told the name of what is in none.
  const namespace = only?.resource.namespaced === false ? undefined : options.namespace;
  const looked = meant.filter(({ resource }) => namespace === undefined || resource.namespaced);
  const kinds = await ListedKinds.of(looked, { cluster, namespace, assumeConsent });
  const kindOf = (resource: ApiResource) => kinds.of(resource);

  const rows: DriftRow[] = [];
  const problems: string[] = [];
  let seen = 0;
  const breather = new Breather({ clock, othersTurn });
  for (const operator of looked) {
    const inputs = new ReadInputs(operator.reads, (read) => kindOf(read.resource));
    const { reach } = operator;
    const isAssumed = reach !== 'consent' || assumeConsent;
    const namespaces = isAssumed ? undefined : kindOf(namespaceKind);
    const consents = new Consents({ reach, isAssumed, namespaces });
    const policy = DriftPolicy.of({ ...operator.drift, mode: mode ?? operator.drift.mode });
    // The controller does nothing without these, and says so.
    const absent = neededKinds(operator).filter((resource) => !kindOf(resource).isServed);
    if (absent.length > 0) {
      problems.push(`${operator.name}: the API server does not serve ${absent.map(showInVersion).join(', ')}`);
      continue;
    }
    const all = kindOf(operator.resource).list();
    const alive = new Set(all.map(({ metadata }) => metadata.uid));
    for (const cr of all) {
      // Whoever interrupts it is heard.
      await breather.turn();
      // It may be listed more widely, for the sake of another operator.
      if (namespace !== undefined && cr.metadata.namespace !== namespace) continue;
      if ((only && cr.metadata.name !== only.name) || cr.metadata.deletionTimestamp !== undefined) continue;
      seen++;
      const discretion = new Discretion(cr, policy, operator);
      try {
        const key = queueKey(cr.metadata.namespace, cr.metadata.name);
        const occasion = namingErrors('reads', cr, () => occasionOf(key, cr, { operator, inputs, consents }));
        discretion.saw(Object.values(occasion.inputs).flat());
        const { children } = namingErrors('compose', cr, () => operator.composition(occasion.cr, occasion.inputs));
        refuseUnknownSuspension(cr);
        const own = policy.withFallback(customResourceMode(cr, clock.now())?.mode);
        discretion.saw(children);
        const planned = discretion.steps(stepsOf(operator, cr, children, own, kindOf, alive));
        const unwanted = consents.unwanted(key, cr, planned);
        const steps = planned.filter((step) => {
          // The controller does not write there either, and says so.
          const refusal = unwanted.get(step) ?? refusalIn(step);
          if (refusal) problems.push(`${show(refOf(cr))}: ${messageOf(refusal)}`);
          return refusal === undefined;
        });
        // Nothing goes where anything else cannot come.
        const isPruning = steps.length === planned.length && doubtOf(planned, cr, operator.allowEmpty) === undefined;
        const found = driftRows(cr, steps, isPruning);
        // Until it is resumed, all stays as it is.
        rows.push(...(isSuspended(cr) ? found.map((row) => ({ ...row, mode: 'report' as const })) : found));
      } catch (error) {
        problems.push(`${show(refOf(cr))}: ${messageOf(discretion.error(error))}`);
      }
    }
  }
  if (only && seen === 0 && problems.length === 0) {
    const { name, resource } = only;
    throw notThere({ kind: resource.kind, name, ...(namespace === undefined ? {} : { namespace }) });
  }
  if (namespace !== undefined && seen === 0 && problems.length === 0) await refuseAbsent(cluster, namespace);
  return { rows, problems, kinds: kinds.all };
}

/** A misspelt namespace has no drift, for ever. Who may not look at it has to know how it is called. */
async function refuseAbsent(cluster: Cluster, namespace: string): Promise<void> {
  await cluster.get(namespaceKind, { name: namespace }).catch((cause: unknown) => {
    if (cause instanceof ForbiddenError) return;
    if (!(cause instanceof NotFoundError)) throw cause;
    throw new OperatorError(`there is no namespace ${namespace}`, {
      hint: '"kubectl get namespaces" lists those that there are',
    });
  });
}

const refusalIn = (step: Step) => (step.type === 'refuse' ? refusalOf(step) : undefined);

function stepsOf(
  operator: Operator,
  cr: KubeObject,
  children: readonly Manifest[],
  policy: DriftPolicy,
  kindOf: (resource: ApiResource) => ListedKind,
  /** The uids of the operator's custom resources. */
  alive: ReadonlySet<string>,
) {
  const served = operator.owns.filter((resource) => kindOf(resource).isServed);
  const resourceOf = (manifest: Manifest) => kindAmong(served, manifest);
  const owner = ownerOf(cr);
  const near = served.flatMap((resource) => kindOf(resource).controlledBy(owner.uid, cr.metadata.namespace));
  // Anybody may write a label, and does who copies a child: it is one only where the inventory says so, too.
  const far = inventoryOf(cr).flatMap((ref) => {
    const resource = kindAmong(served, ref);
    const object = resource && kindOf(resource).get(ref.namespace, ref.name);
    return object && !controllerOf(object) && belongsTo(owner, object) ? object : [];
  });
  const steps = plan({
    owner,
    manager: operator.name,
    desired: children.filter((child) => resourceOf(child) !== undefined),
    observe(manifest) {
      const { name, namespace } = manifest.metadata;
      return kindOf(resourceOf(manifest) as ApiResource).get(namespace, name);
    },
    controlled: [...near, ...far],
    remembered: new Map(),
    policy,
    adoption: { mode: operator.adopt, isAlive: (uid) => alive.has(uid) },
    removal: operator.removalOf?.(cr),
    formerly: operator.formerly,
  });
  return withRivals(steps, kindOf(operator.resource));
}
