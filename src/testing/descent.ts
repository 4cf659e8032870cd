import type { Operator } from '../compose/operator.js';
import type { Revision } from '../embedded/object-store.js';
import { groupKindOf } from '../kube/api-resource.js';
import { OperatorError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { controllerOf } from '../kube/owner-reference.js';

type Change = Pick<Revision, 'type' | 'object'>;

/**
 * How many there may be, times the generation of the last of them, from which on it counts: a tree that somebody means is wide,
 * or deep, or small, and one without end is to be named before a test has lost its patience.
 */
const [most, firstGeneration] = [3000, 4];

/** Counts what is made for objects of its own kind while time stands still, each of which may be one to make another for. */
export class Descent {
  #moment = 0;
  /** By uid. */
  readonly #born = new Map<string, KubeObject>();
  readonly #times = new Map<string, number>();
  #error: OperatorError | undefined;

  /** Forgets what was: whoever asks for more may get as much again. */
  begin(): void {
    this.#born.clear();
    this.#times.clear();
    this.#error = undefined;
  }

  /** What changed at `moment`, by one of `operators` or by somebody else. */
  saw({ type, object }: Change, moment: number, operators: readonly Operator[]): void {
    if (type !== 'ADDED') return;
    if (moment !== this.#moment) this.begin();
    this.#moment = moment;
    this.#born.set(object.metadata.uid, object);
    const forebears = this.#forebearsOf(object);
    const kind = groupKindOf(object);
    const generations = forebears.filter((each) => groupKindOf(each) === kind).length;
    if (generations === 0) return;
    const times = (this.#times.get(kind) ?? 0) + 1;
    this.#times.set(kind, times);
    if (generations < firstGeneration || times * generations <= most) return;
    const maker = operators.find(({ resource }) => groupKindOf(resource) === groupKindOf(forebears[0] ?? object));
    if (!maker) return;
    const made = `${show(refOf(object))} is one of ${times} that came of a ${object.kind} each while time stood still`;
    this.#error ??= new OperatorError(`${maker.name} would never end: ${made}`, {
      hint: `compose no ${object.kind} for the last of them: what says which that is has to change from one to the next`,
    });
  }

  /** What is to be said once there is something without end. */
  get error(): OperatorError | undefined {
    return this.#error;
  }

  /** Its controller, and that of that, as far as they were made at the same moment. */
  #forebearsOf(object: KubeObject): readonly KubeObject[] {
    const found: KubeObject[] = [];
    const ownerOf = (child: KubeObject) => this.#born.get(controllerOf(child)?.uid ?? '');
    for (let owner = ownerOf(object); owner; owner = ownerOf(owner)) found.push(owner);
    return found;
  }
}
