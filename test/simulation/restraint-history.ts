import type { KubeObject } from '../../src/kube/manifest.js';
import { restraint, restraintOf } from './restraints.js';

/** What must never be written to while a person has said so, by what the server has, or by what the controller knew. */
export class RestraintHistory {
  /** By uid of a custom resource that is left alone, since when. */
  readonly #since = new Map<string, number>();
  /** By writer and uid, the mode of what it composed last, unless that ends of its own accord. */
  readonly #known = new Map<string, 'report' | 'ignore'>();

  /** `isUndisturbed`: whoever watches hears in the same moment. */
  constructor(private readonly isUndisturbed: boolean) {}

  heard(cr: KubeObject, at: number, now: number): void {
    const { uid } = cr.metadata;
    if (restraintOf(cr, now) === undefined) this.#since.delete(uid);
    else if (!this.#since.has(uid)) this.#since.set(uid, at);
  }

  composed(by: string, cr: KubeObject, now: number): void {
    const key = `${by} ${cr.metadata.uid}`;
    const mode = restraintOf(cr, now);
    if (mode === undefined || mode === 'suspended' || cr.metadata.annotations?.[restraint.end] !== undefined) {
      this.#known.delete(key);
    } else this.#known.set(key, mode);
  }

  /** What is wrong about a write to a child of `custom`, as the server has that. `isPrompt`: it was sent in this moment. */
  wrote(by: string, custom: KubeObject, { at, now, isPrompt }: { at: number; now: number; isPrompt: boolean }) {
    const { uid, deletionTimestamp } = custom.metadata;
    if (deletionTimestamp !== undefined || !isPrompt) return undefined;
    const since = this.#since.get(uid) ?? at;
    const mode = this.isUndisturbed && since < at ? restraintOf(custom, now) : this.#known.get(`${by} ${uid}`);
    return mode && `though its owner is to be left alone (${mode})`;
  }
}
