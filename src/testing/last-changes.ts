import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: string;
  readonly object: KubeObject;
}

const [fewest, most] = [5, 100];
const words = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const;

/** What changed last in a cluster, whoever changed it. Leases are renewed for ever, and Events are no state: these do not count. */
export class LastChanges {
  /** When, on the clock that only grows. */
  at = 0;
  #changes: (Change & { readonly at: number })[] = [];

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  saw({ type, resource, object }: Change): void {
    if (resource === 'leases.coordination.k8s.io' || resource === 'events') return;
    this.at = this.clock.monotonic();
    this.#changes.push({ type, resource, object, at: this.at });
    if (this.#changes.length > most) this.#changes = this.#changes.slice(-fewest);
  }

  /** `600.0 s: Job/default/backup-29456 created`. */
  get texts(): readonly string[] {
    return this.#changes
      .slice(-fewest)
      .map(({ type, object, at }) => `${(at / 1000).toFixed(1)} s: ${show(refOf(object))} ${words[type]}`);
  }
}
