import type { Operator } from '../compose/operator.js';
import type { Inputs } from '../compose/reads.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Consents } from './consents.js';
import { splitKey } from './queue-key.js';
import type { ListLive, ReadInputs } from './read-inputs.js';
import type { Unmet } from './status.js';
import type { WatchedKind } from './watched-kind.js';
import type { WorkQueue } from './work-queue.js';

/** What an author's code is run for: a custom resource, and what of its inputs it may see. */
export interface Occasion {
  readonly key: string;
  readonly cr: KubeObject;
  readonly inputs: Inputs;
  /** What of the inputs lacks. */
  readonly unmet?: Unmet | undefined;
}

export interface OccasionsOptions {
  readonly operator: Operator;
  readonly custom: WatchedKind;
  readonly inputs: ReadInputs;
  readonly consents: Consents;
  readonly queue: Pick<WorkQueue, 'upcoming'>;
}

/** The occasions that there are for an author's code. */
export class Occasions {
  constructor(private readonly options: OccasionsOptions) {}

  /** Throws what the author's selection of inputs throws, and `TerminalError` for inputs out of reach. */
  of(key: string, cr: KubeObject): Occasion {
    const { operator, inputs, consents } = this.options;
    consents.forget(key);
    return { key, cr, ...consents.inputs(key, cr, operator.reads, inputs.of(key, cr)) };
  }

  /** The same with the inputs as the API server has them. */
  async live(key: string, cr: KubeObject, list: ListLive): Promise<Occasion> {
    const { operator, inputs, consents } = this.options;
    return { key, cr, ...consents.inputs(key, cr, operator.reads, await inputs.live(cr, list)) };
  }

  /** Of what waits for a worker, in about the order in which it gets one: of the first `most`, those that are wanted. */
  *waiting(most: number, isWanted: (key: string, cr: KubeObject) => boolean): Generator<Occasion> {
    const { custom, queue } = this.options;
    let left = most;
    for (const key of queue.upcoming()) {
      if (left-- === 0) return;
      const cr = custom.get(...splitKey(key));
      if (!cr || cr.metadata.deletionTimestamp !== undefined || !isWanted(key, cr)) continue;
      try {
        yield this.of(key, cr);
      } catch {
        // It fails in the same way when its turn comes, and is told then.
      }
    }
  }
}
