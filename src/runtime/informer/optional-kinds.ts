import type { Composition } from '../../compose/composition.js';
import type { OwnedKind } from '../../compose/owned-kind.js';
import {
  type ApiResource,
  groupKindOf,
  groupOf,
  groupVersionKindOf,
  type KindName,
  showInVersion,
} from '../../kube/api-resource.js';
import type { ConditionClaim } from '../../kube/condition.js';
import { keyOf, type ObjectRef } from '../../kube/object-ref.js';
import type { WatchedKind } from './watched-kind.js';

/** The kinds of an operator's children, of which some may not be served. */
export class OptionalKinds {
  constructor(
    private readonly owns: readonly OwnedKind[],
    private readonly kindOf: (resource: ApiResource) => WatchedKind,
  ) {}

  /** Those that are there to be looked through. A kind that an operator cannot do without counts as served. */
  get served(): readonly OwnedKind[] {
    return this.owns.filter((owned) => this.#isServed(owned));
  }

  /** True for a kind that an operator can do without, in this version, and has to. */
  isAbsent(resource: ApiResource): boolean {
    const name = groupVersionKindOf(resource);
    return this.owns.some((owned) => groupVersionKindOf(owned) === name && !this.#isServed(owned));
  }

  /** Without the children that the API server knows nothing of. */
  without(composition: Composition): Composition {
    const { children, needs } = composition;
    if (this.served.length === this.owns.length) return composition;
    const served = new Set(this.served.map(groupKindOf));
    const isThere = (child: KindName) => served.has(groupKindOf(child));
    // Nobody waits for what cannot come, but for what that would have waited for.
    const instead = (ref: ObjectRef): readonly ObjectRef[] =>
      isThere(ref) ? [ref] : (needs?.get(keyOf(ref)) ?? []).flatMap(instead);
    return {
      ...composition,
      children: children.filter(isThere),
      ...(needs && { needs: new Map([...needs].map(([key, refs]) => [key, refs.flatMap(instead)])) }),
    };
  }

  /** A condition for each optional kind: `RouteAvailable`; with its group where another of them is called so, too. */
  claims(generation: number): readonly ConditionClaim[] {
    const optional = this.owns.filter((owned) => owned.optional);
    return optional.map((owned) => {
      const { kind } = owned;
      const group = groupOf(owned.apiVersion);
      const isShared = optional.some((each) => each !== owned && each.kind === kind);
      const type = `${isShared && group !== '' ? `${group}/` : ''}${kind}Available`;
      const about = { type, observedGeneration: generation };
      const resource = showInVersion(owned);
      return this.#isServed(owned)
        ? { ...about, status: 'True', reason: 'KindServed', message: `The API server serves ${resource}` }
        : {
            ...about,
            status: 'False',
            reason: 'KindNotServed',
            message: `The API server does not serve ${resource}, so that there is no ${kind}`,
          };
    });
  }

  #isServed(owned: OwnedKind): boolean {
    return !owned.optional || this.kindOf(owned).isServed;
  }
}
