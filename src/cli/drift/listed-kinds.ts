import type { Cluster } from '../../client/cluster.js';
import type { Operator } from '../../compose/operator.js';
import { type ApiResource, groupVersionKindOf } from '../../kube/api-resource.js';
import { namespaceKind } from '../../kube/consent.js';
import { ListedKind } from './listed-kind.js';

export interface ListOptions {
  readonly cluster: Cluster;
  /** Of custom resources. Absent: all. */
  readonly namespace: string | undefined;
  readonly assumeConsent: boolean;
}

/** What operators look at, each kind listed once for all of them. */
export class ListedKinds {
  private constructor(private readonly kinds: ReadonlyMap<string, ListedKind>) {}

  /** Throws what a list throws. */
  static async of(operators: readonly Operator[], options: ListOptions): Promise<ListedKinds> {
    const { cluster, namespace } = options;
    const kinds = new Map<string, ListedKind>();
    for (const [name, { resource, isWide }] of scopesOf(operators, options.assumeConsent)) {
      kinds.set(name, await ListedKind.of(cluster, resource, isWide ? undefined : namespace));
    }
    return new ListedKinds(kinds);
  }

  get all(): readonly ListedKind[] {
    return [...this.kinds.values()];
  }

  /** Of a kind that one of the operators looks at. */
  of(resource: ApiResource): ListedKind {
    return this.kinds.get(groupVersionKindOf(resource)) as ListedKind;
  }
}

interface Scope {
  readonly resource: ApiResource;
  /** True where somebody looks for it beyond the namespace of a custom resource. */
  readonly isWide: boolean;
}

/** Known of every kind before the first is listed: what lacks in a list would look as if it were not there. */
function scopesOf(operators: readonly Operator[], assumeConsent: boolean): ReadonlyMap<string, Scope> {
  const scopes = new Map<string, Scope>();
  for (const { resource, owns, reads, reach } of operators) {
    const asked = reach === 'consent' && !assumeConsent ? [namespaceKind] : [];
    // One that is in no namespace may have children and inputs in any, whatever its reach.
    const isFar = reach !== 'namespace' || !resource.namespaced;
    // Of whom somebody else's child is has to be known wherever that is: its own kind as widely as the others.
    for (const each of [resource, ...owns, ...Object.values(reads).map((read) => read.resource), ...asked]) {
      const name = groupVersionKindOf(each);
      scopes.set(name, { resource: each, isWide: isFar || scopes.get(name)?.isWide === true });
    }
  }
  return scopes;
}
