import type { Cluster } from '../../src/client/cluster.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { type Call, type CallMatch, matches } from '../../src/testing/call.js';
import { farOwnerOf, ownerUidOf } from './far.js';
import { kindOf, kinds } from './kinds.js';
import { wrongValue } from './wrong-value.js';

interface Race {
  readonly when: 'before' | 'after';
  readonly match: CallMatch;
  readonly times: number;
}

/** What somebody else does to a child in the same moment in which a controller writes to it. */
export class Races {
  readonly #planned: { readonly replica: string; readonly race: Race; left: number }[] = [];
  #count = 0;

  constructor(
    private readonly user: Cluster,
    private readonly list: (kind: string) => readonly KubeObject[],
    private readonly befell: (race: object) => void,
  ) {}

  plan(replica: string, race: Race): void {
    this.#planned.push({ replica, race, left: race.times });
  }

  clear(): void {
    this.#planned.length = 0;
  }

  /** A write of `replica` is about to reach the server, or just has. */
  meet(replica: string, call: Call, when: Race['when']): void {
    const planned = this.#planned.find(
      (each) => each.left > 0 && each.replica === replica && each.race.when === when && matches(each.race.match, call),
    );
    if (!planned || call.subresource !== undefined || !Object.hasOwn(kinds, call.kind)) return;
    const child = this.list(call.kind).find(
      ({ metadata }) => metadata.name === call.name && metadata.namespace === call.namespace,
    );
    if (!child || ownerUidOf(child) === undefined || call.name === undefined) return;
    planned.left -= 1;
    this.befell(planned);
    const target = { name: call.name, ...(call.namespace === undefined ? {} : { namespace: call.namespace }) };
    // What is to be pruned is taken over in the same moment.
    const takenOver = farOwnerOf(child) === undefined ? { ownerReferences: null } : { labels: null };
    // One that is adopted is not made anew, on purpose.
    const isTaken = call.verb === 'delete' && call.kind !== 'RoleBinding';
    const body = isTaken ? { metadata: takenOver } : wrongValue(call, `race-${++this.#count}`);
    // The server has done it by the time it returns its promise; what it refuses is left undone.
    this.user
      .patch(kindOf(call.kind), target, { type: 'merge', body }, { fieldManager: 'somebody' })
      .catch(() => undefined);
  }
}
