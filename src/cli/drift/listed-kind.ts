import { NotFoundError } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import { listAll } from '../../client/list-all.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Selector } from '../../runtime/informer/facets.js';
import { Shelf } from '../../runtime/informer/shelf.js';
import { Store } from '../../runtime/informer/store.js';

/** All objects of a kind at one moment. */
export class ListedKind {
  private constructor(
    readonly resource: ApiResource,
    /** Where it was looked for. Absent: everywhere. */
    readonly scope: { readonly namespace?: string },
    private readonly store: Store,
    /** From here on a watch brings what comes later; undefined where the kind is not served. */
    readonly resourceVersion: string | undefined,
  ) {}

  static async of(cluster: Cluster, resource: ApiResource, namespace: string | undefined): Promise<ListedKind> {
    const scope = resource.namespaced && namespace !== undefined ? { namespace } : {};
    let listed = new Shelf();
    const store = new Store();
    let resourceVersion: string;
    try {
      resourceVersion = await listAll(cluster, resource, scope, () => {
        listed = new Shelf();
        return (object) => listed.put(object);
      });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return new ListedKind(resource, scope, store, undefined);
    }
    store.replace(listed);
    return new ListedKind(resource, scope, store, resourceVersion);
  }

  get isServed(): boolean {
    return this.resourceVersion !== undefined;
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.store.get(namespace, name);
  }

  /** Those whose controller has this uid, and is in this namespace, or in none. */
  controlledBy(uid: string, namespace: string | undefined): readonly KubeObject[] {
    return this.store.controlledBy(uid, namespace);
  }

  list(selector: Selector = {}): KubeObject[] {
    return this.store.list(selector);
  }
}
