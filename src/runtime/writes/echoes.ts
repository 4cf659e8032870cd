import type { KubeObject } from '../../kube/manifest.js';
import { compareVersions } from '../informer/store.js';

/** What is to be done for a key because something changed. */
interface Due {
  /** Changes that nothing explains so far: by uid, the version. */
  readonly open: Map<string, string>;
  /** There is a reason that no answer can explain. */
  isAsked: boolean;
}

/**
 * Tells our own writes, as watches bring them back, from news.
 *
 * The reconcile that made a write has seen what it made, in the answer. That the watch shows the same a moment later is
 * no reason to look again, whichever of the two comes first: without this each new child would cost a reconcile more.
 *
 * **Guarantees.** A change is taken for an echo only when it shows the very version that an answer showed. Two changes of
 * one object are never taken for one. When in doubt, a key is due.
 *
 * **Assumes** that an answer is handed in only when nobody else's change can be hidden in it.
 */
export class Echoes {
  /** By key. A key that is not here and was queued is due. */
  readonly #due = new Map<string, Due>();
  /** By key and uid, the version of our last write, until the watch brings it. */
  readonly #answers = new Map<string, Map<string, string>>();
  /** Keys that go on when our writes come back, and not before. */
  readonly #awaiting = new Set<string>();

  /** A watch shows `object`, which concerns `key`. False when that is no reason to queue it. */
  changed(key: string, { metadata: { uid, resourceVersion } }: KubeObject): boolean {
    const due = this.#due.get(key);
    const answer = this.#answers.get(key)?.get(uid);
    if (answer !== undefined && compareVersions(answer, resourceVersion) <= 0) this.#forgetAnswer(key, uid);
    // Nobody else is queued by it: who was told to wait longer, after a failure say, would begin again at each own write.
    if (answer === resourceVersion) return this.#awaiting.has(key);
    if (!due) this.#due.set(key, { open: new Map([[uid, resourceVersion]]), isAsked: false });
    else if (due.open.has(uid)) due.isAsked = true;
    else due.open.set(uid, resourceVersion);
    return true;
  }

  /** Something else than a change asks for `key`. */
  asked(key: string): void {
    const due = this.#due.get(key);
    if (due) due.isAsked = true;
    else this.#due.set(key, { open: new Map(), isAsked: true });
  }

  /** `key` is queued, or worked on, and is to be looked at as soon as our writes come back. */
  awaits(key: string): void {
    this.asked(key);
    this.#awaiting.add(key);
  }

  /** The reconcile of `key` that is under way has written `object`, and goes on from this state of it. */
  answered(key: string, { metadata: { uid, resourceVersion } }: KubeObject): void {
    const open = this.#due.get(key)?.open;
    if (open?.get(uid) === resourceVersion) {
      open.delete(uid);
      return;
    }
    const answers = this.#answers.get(key) ?? new Map<string, string>();
    this.#answers.set(key, answers.set(uid, resourceVersion));
  }

  /** Whether there is anything to look at for `key`, which was queued. From now on only what comes later counts. */
  take(key: string): boolean {
    const isDue = this.hasNews(key);
    this.#due.delete(key);
    this.#awaiting.delete(key);
    return isDue;
  }

  /**
   * Whether anything came for `key`, which is being worked on, that the answers to its writes do not explain. What they
   * explain is forgotten: where a watch is faster than the answer, it has queued the key.
   */
  hasNews(key: string): boolean {
    const due = this.#due.get(key);
    if (due === undefined || due.isAsked || due.open.size > 0) return true;
    this.#due.delete(key);
    return false;
  }

  /**
   * The keys whose last writes no watch has shown, as far as they were answered. For whoever has listed anew: what was
   * created and deleted before the list is in no change of it. What comes of them after this is news. What has no answer yet
   * is of a round that is under way, and not among them.
   */
  unheard(): readonly string[] {
    const keys = [...this.#answers.keys()];
    this.#answers.clear();
    return keys;
  }

  /** `key` is gone. When it was queued meanwhile, it is due. */
  forget(key: string): void {
    this.#answers.delete(key);
    this.#due.delete(key);
    this.#awaiting.delete(key);
  }

  /** How many entries are kept: none when all is seen and done. */
  get size(): number {
    return this.#due.size + this.#answers.size + this.#awaiting.size;
  }

  #forgetAnswer(key: string, uid: string): void {
    const answers = this.#answers.get(key);
    answers?.delete(uid);
    if (answers?.size === 0) this.#answers.delete(key);
  }
}
