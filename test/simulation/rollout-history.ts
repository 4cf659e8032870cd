import type { KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';
import { conditionIn } from '../condition-in.js';

/** A first write of a process to a child of a custom resource. */
export interface FirstWrite {
  readonly by: string;
  /** When that process began. */
  readonly since: number;
  /** As the server has it. */
  readonly custom: KubeObject;
  /** Before the write its children were as another version of the operators desires them, all of them. */
  readonly wasWell: boolean;
}

/**
 * How many custom resources a new version of the operators changes at once, which `--rollout-limit` promises. Counts those alone of
 * which nothing else asked for the change: nobody but controllers has changed anything since the process began, and before it did, all
 * was as the version before it desired.
 */
export class RolloutHistory {
  /** By writer and uid, the custom resources that it has written to, and whether a new version was all that asked for it. */
  readonly #begun = new Map<string, Map<string, boolean>>();
  /** By uid, when anybody else than a controller changed it, or something of it. */
  readonly #asked = new Map<string, number>();
  #allAsked = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: {
      readonly limit: number | undefined;
      /** A custom resource as the server has it. */
      customOf(uid: string): KubeObject | undefined;
      /** Its children are as this writer desires them. */
      isWell(custom: KubeObject, by: string): boolean;
    },
  ) {}

  /** Somebody else changed a custom resource or a child, by the uid of the former, or what anybody may read. */
  asked(uid: string | undefined, at: number): void {
    if (uid === undefined) this.#allAsked = at;
    else this.#asked.set(uid, at);
    for (const begun of this.#begun.values()) {
      if (uid === undefined) for (const each of begun.keys()) begun.set(each, false);
      else if (begun.has(uid)) begun.set(uid, false);
    }
  }

  isFirst(by: string, uid: string): boolean {
    return this.options.limit !== undefined && this.#begun.get(by)?.has(uid) !== true;
  }

  /** What is wrong about a first write. */
  wrote({ by, since, custom, wasWell }: FirstWrite): string | undefined {
    const { limit = Number.POSITIVE_INFINITY, customOf, isWell } = this.options;
    const { uid } = custom.metadata;
    const begun = this.#begun.get(by) ?? new Map<string, boolean>();
    this.#begun.set(by, begun);
    const asked = Math.max(this.#allAsked, this.#asked.get(uid) ?? Number.NEGATIVE_INFINITY);
    const isRollout = wasWell && asked < since && isSettled(custom);
    const others = [...begun].flatMap(([each, isCounted]) => (isCounted ? (customOf(each) ?? []) : []));
    begun.set(uid, isRollout);
    if (!isRollout) return undefined;
    const open = others.filter((each) => each.kind === custom.kind && !(isSettled(each) && isWell(each, by)));
    if (open.length < limit) return undefined;
    const names = open.map((each) => show(refOf(each))).join(', ');
    return `changes ${show(refOf(custom))} for its version before it is done with ${names}`;
  }
}

function isSettled(custom: KubeObject): boolean {
  const ready = conditionIn(custom);
  return (
    ready?.status === 'True' &&
    ready.observedGeneration === custom.metadata.generation &&
    conditionIn(custom, 'Paused') === undefined
  );
}
