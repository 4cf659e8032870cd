import type { ObjectStore, Revision } from '../../src/embedded/object-store.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';
import { acceptFrom, farOwnerOf, isForced, isHeld, noteOf, notesOf } from './far.js';

/** A write of a controller by which a far child was made or changed. */
export interface FarWrite {
  readonly child: KubeObject;
  readonly isNew: boolean;
  /** It reached the server in the moment in which it was sent. */
  readonly isPrompt: boolean;
  /** It reached the server in the moment in which that went on, having hung. */
  readonly isThawed: boolean;
  /** The namespace of its custom resource, which may be gone. */
  readonly home: string | undefined;
  /** Its custom resource as the server has it. */
  readonly custom: KubeObject | undefined;
}

/** What must never happen to children that no owner reference reaches, whatever the controller knew. */
export class FarHistory {
  /** Uids of far children that a call reached later than it was sent: whoever sent it may be dead, and nobody else knows. */
  readonly beyondRecall = new Set<string>();
  /** Those that a call reached so late that their custom resource was gone, of which whoever had sent it had no answer. */
  readonly strays = new Set<string>();
  /** Uids of custom resources that a person let go, whatever they left behind. */
  readonly #forced = new Set<string>();
  /** Which namespace ever accepted children of which other: `from to`. */
  readonly #accepted = new Set<string>();

  constructor(private readonly store: ObjectStore) {}

  heard({ resource, object }: Revision): void {
    if (isForced(object)) this.#forced.add(object.metadata.uid);
    if (resource !== 'namespaces') return;
    const { name, annotations = {} } = object.metadata;
    for (const from of (annotations[acceptFrom] ?? '').split(',')) this.#accepted.add(`${from} ${name}`);
  }

  /** What is wrong about a write. */
  wrote({ child, isNew, isPrompt, isThawed, home, custom }: FarWrite): string | undefined {
    if (!isPrompt) this.beyondRecall.add(child.metadata.uid);
    if (isThawed && !isPrompt && !custom) this.strays.add(child.metadata.uid);
    const { namespace } = child.metadata;
    if (namespace !== home && !this.#accepted.has(`${home} ${namespace}`))
      return `where nothing of ${home} was ever accepted`;
    // Its custom resource may have gone while the call was on its way.
    if (!isNew || !isPrompt) return undefined;
    if (!custom || !isHeld(custom)) return 'and nothing keeps its owner until that is gone';
    return notesOf(custom).includes(noteOf(child)) ? undefined : 'of which no inventory tells';
  }

  /** True of the uid of a custom resource that may have left something behind. */
  wasForced(uid: string): boolean {
    return this.#forced.has(uid);
  }

  /** What is wrong about letting a custom resource go. */
  released(cr: KubeObject): string | undefined {
    if (this.wasForced(cr.metadata.uid)) return undefined;
    const left = [...this.store.list('configmaps'), ...this.store.list('gems.sim.example.com')].find(
      (each) => farOwnerOf(each) === cr.metadata.uid && !this.beyondRecall.has(each.metadata.uid),
    );
    return left && `let ${show(refOf(cr))} go, and ${show(refOf(left))} is there`;
  }
}
