import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import { seemly, TerminalError } from '../kube/errors.js';
import type { Manifest, OwnerReference } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../kube/object-ref.js';
import type { Reach } from '../kube/reach.js';
import { child } from './child.js';
import { inOrder, neededBy } from './child-order.js';
import { CompositionScope } from './composition-scope.js';
import { refuseUnfinished } from './refuse-unfinished.js';
import { rendered } from './rendered.js';

/** What a custom resource is composed of. */
export interface Composition {
  /** In the order in which they are created: what depends on another comes after it. */
  readonly children: readonly Manifest[];
  /** Which child each name stands for that `compose` returned. */
  readonly returned: Readonly<Record<string, ObjectRef>>;
  /** By the key of a child, what has to be ready before it is written. A child that needs nothing is not in it. */
  readonly needs?: ReadonlyMap<string, readonly ObjectRef[]>;
}

export interface CompositionInput {
  /** The operator, after which children are labelled. */
  readonly operator: string;
  /** The kind of the custom resource. */
  readonly resource: ApiResource;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly owner: OwnerReference | undefined;
  /** True where children are to outlive their owner. Default: false. */
  readonly isOutlived?: boolean;
  readonly owns: readonly ApiResource[];
  /** `namespace` if not given. */
  readonly reach?: Reach;
  /** The author's code: creates children in `scope`, and may return some of them by name. */
  build(scope: Construct): unknown;
}

/**
 * The children of a custom resource.
 *
 * **Guarantees.** Pure: the same custom resource gives the same children, to the order of their keys. All children are
 * plain data, of kinds in `owns`, within the custom resource's reach, each there once.
 *
 * Throws `TerminalError` that names the construct, the child and the field that is at fault.
 */
export function composition(input: CompositionInput): Composition {
  const { operator, resource, metadata, owner, owns, reach = 'namespace', isOutlived = false } = input;
  const { name, namespace } = metadata;
  const scope = new CompositionScope({ operator, name, namespace });
  const returned = built(scope, input);
  refuseInvalid(scope, resource);

  const household = { resource, namespace, owns, reach, owner, isOutlived };
  const refs = new Map<ApiObject, ObjectRef>();
  const children = new Map<string, { readonly manifest: Manifest; readonly path: string }>();
  for (const object of inOrder(scope)) {
    const path = scope.idsOf(object).join('/');
    const full = rendered(object, `${object.kind}/${object.name} (construct ${path})`);
    const manifest = child(withLabels(full, scope.labelsOf(object)), household);
    const ref = refOf(manifest);
    const twin = children.get(keyOf(ref));
    if (twin) {
      throw new TerminalError(
        `${resource.kind} composes ${show({ kind: ref.kind, name: ref.name })} twice: by ${twin.path} and by ${path}`,
        { hint: 'give one of the constructs another id, or another metadata.name' },
      );
    }
    children.set(keyOf(ref), { manifest, path });
    refs.set(object, ref);
  }
  scope.close(show({ kind: resource.kind, name, ...(namespace === undefined ? {} : { namespace }) }));
  return {
    children: [...children.values()].map(({ manifest }) => manifest),
    returned: refsOf(returned, refs, resource),
    ...needsOf(refs),
  };
}

/** What the author's code gives. An id that a scope has already is known by what `constructs` says, which has no class for it. */
function built(scope: CompositionScope, { resource, build }: CompositionInput): unknown {
  try {
    return build(scope);
  } catch (thrown) {
    const cause = seemly(thrown);
    const id = cause instanceof Error && /^There is already a Construct with name '(.*)' in /s.exec(cause.message)?.[1];
    if (typeof id !== 'string') throw cause;
    throw new TerminalError(`${resource.kind} composes two constructs with the id "${id}" in one scope`, {
      cause,
      hint: 'give each an id of its own, such as the name of what it is made for',
    });
  }
}

/** By `node.addDependency`. */
function needsOf(refs: ReadonlyMap<ApiObject, ObjectRef>): Pick<Composition, 'needs'> {
  const needs = [...refs].flatMap(([object, ref]) => {
    const needed = neededBy(object).flatMap((other) => (other === object ? [] : (refs.get(other) ?? [])));
    return needed.length === 0 ? [] : [[keyOf(ref), needed] as const];
  });
  return needs.length === 0 ? {} : { needs: new Map(needs) };
}

/** What constructs themselves have to say, as those of cdk8s-plus do; and charts, for which nothing here would hold. */
function refuseInvalid(scope: CompositionScope, { kind }: ApiResource): void {
  const constructs = scope.node.findAll();
  const chart = constructs.find((construct) => construct !== scope && Chart.isChart(construct));
  if (chart) {
    throw new TerminalError(`${kind} composes a chart, ${scope.idsOf(chart).join('/')}`, {
      hint: 'make it a Construct: a chart gives what is in it names, labels and a namespace of its own',
    });
  }
  const problems = constructs.flatMap((construct) =>
    construct.node.validate().map((problem) => `${scope.idsOf(construct).join('/')}: ${problem}`),
  );
  if (problems.length > 0) throw new TerminalError(`${kind} composes what is not valid: ${problems.join('; ')}`);
}

/** Labels that the author has not set himself. */
function withLabels(manifest: Manifest, labels: Readonly<Record<string, string>>): Manifest {
  return { ...manifest, metadata: { ...manifest.metadata, labels: { ...labels, ...manifest.metadata.labels } } };
}

const byName = 'return constructs that were created in scope, by name: { server }';

function refsOf(
  returned: unknown,
  refs: ReadonlyMap<ApiObject, ObjectRef>,
  { kind }: ApiResource,
): Record<string, ObjectRef> {
  refuseUnfinished(
    returned,
    `${kind} compose`,
    'compose is a function of the custom resource and its reads alone: declare what it waits for in reads',
  );
  if (Construct.isConstruct(returned)) {
    throw new TerminalError(`${kind} compose returned a construct without a name`, { hint: byName });
  }
  const named: Record<string, ObjectRef> = {};
  for (const [name, value] of Object.entries(returned ?? {}) as [string, unknown][]) {
    if (value === undefined) continue;
    const object = objectOf(value);
    const ref = object && refs.get(object);
    if (!ref) {
      throw new TerminalError(`${kind} compose returned "${name}", which is no child`, { hint: byName });
    }
    named[name] = ref;
  }
  return named;
}

/** The object itself, or the one that a construct of a higher level is about. */
function objectOf(value: unknown): ApiObject | undefined {
  if (ApiObject.isApiObject(value)) return value as ApiObject;
  if (!Construct.isConstruct(value)) return undefined;
  return value.node.defaultChild === undefined ? undefined : objectOf(value.node.defaultChild);
}
