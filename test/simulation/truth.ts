/** Longer than most files: all that has to be true at rest, of each kind that there is. */
import type { Operator } from '../../src/compose/operator.js';
import type { Inputs, Many, One } from '../../src/compose/reads.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../../src/kube/object-ref.js';
import { hasFinalizer } from '../../src/runtime/writes/finalizer.js';
import { conditionIn } from '../condition-in.js';
import type { Sight } from './backslides.js';
import { wrongConditions } from './conditions.js';
import { acceptFrom, farOwnerOf, isForced, leftOf, noteOf, notesOf, ownerUidOf, removal, shareWith } from './far.js';
import { isForeign } from './foreign-fields.js';
import { allOperators } from './operators/all.js';
import { isWordy, Site } from './operators/site.js';
import { restraintOf } from './restraints.js';
import type { Writer } from './witnessed-cluster.js';
import type { World } from './world.js';

/** What is not as it must be at rest, by what the API server has and nothing else: no other run, no store. */
export function untruths(world: World): string[] {
  const found = world.operators.flatMap((operator) => {
    if (world.mayWait(operator.resource.kind)) return [];
    return (
      world
        .list(operator.resource.kind)
        // One that somebody else's finalizer holds back has ended for its controller.
        .filter((cr) => !isGoing(cr) || hasFinalizer(cr))
        .flatMap((cr) => untruthsOf(world, operator, cr))
    );
  });
  return [...found, ...leftBehind(world), ...seatsLeft(world)];
}

/** What no owner reference reaches goes with its custom resource all the same. */
function leftBehind(world: World): string[] {
  const crs = world.operators.flatMap(({ resource }) => world.list(resource.kind));
  const living = new Set(crs.map(({ metadata }) => metadata.uid));
  return [...world.list('ConfigMap'), ...world.list('Gem')].flatMap((object) => {
    const owner = farOwnerOf(object);
    const { far } = world.history;
    // A Depot may mean it, and so may a person.
    if (owner === undefined || living.has(owner) || isOfDepot(object) || far.wasForced(owner)) return [];
    if (far.strays.has(object.metadata.uid)) return [];
    return [`${show(refOf(object))} is left behind by a custom resource that is gone`];
  });
}

/** What is outside the cluster goes with its custom resource, too. */
function seatsLeft(world: World): string[] {
  const living = new Set(world.list('Trip').map(({ metadata }) => metadata.uid));
  const { far, seatsBeyondRecall } = world.history;
  const left = world.seats.keys.filter((key) => !living.has(key) && !far.wasForced(key) && !seatsBeyondRecall.has(key));
  return left.map((key) => `the seat of ${key}, which is gone, is left`);
}

/** The children that `cr` desires by what the API server has, as `Kind/namespace/name`, when `by` composes it; none where it cannot. */
export function desiredBy(world: World, cr: KubeObject, by?: Writer): ReadonlySet<string> {
  const operator = (by ? world.operatorsOf(by) : world.operators).find(({ resource }) => resource.kind === cr.kind);
  if (!operator) return new Set();
  try {
    const { children } = operator.composition(cr, inputsOf(world, operator, cr));
    return new Set(children.map((child) => show(refOf(child))));
  } catch {
    return new Set();
  }
}

/** How a child of `cr` is, when `by` composes it; undefined where that cannot be composed. */
export function sightOf(world: World, cr: KubeObject, child: KubeObject, by: Writer): Sight | undefined {
  const operator = world.operatorsOf(by).find(({ resource }) => resource.kind === cr.kind);
  if (!operator) return undefined;
  const { generation, labels, annotations } = cr.metadata;
  try {
    const { children } = operator.composition(cr, inputsOf(world, operator, cr));
    const manifest = children.find((each) => keyOf(refOf(each)) === keyOf(refOf(child)));
    return {
      isRight: manifest !== undefined && isLike(manifest, child),
      of: JSON.stringify([generation, labels, annotations, manifest]),
    };
  } catch {
    return undefined;
  }
}

/**
 * What the author's code of `cr` says by what the API server has, and the children that it says it of; undefined where one
 * of these is missing, or is a custom resource, of which others tell, and where it reads what may not have come in yet.
 */
export function statusBy(
  world: World,
  cr: KubeObject,
  by: Writer,
): { readonly status: object; readonly children: readonly KubeObject[] } | undefined {
  const operator = world.operatorsOf(by).find(({ resource }) => resource.kind === cr.kind);
  if (
    !operator ||
    Object.keys({ ...operator.reads, ...operator.external }).length > 0 ||
    isRefused(cr) ||
    mayBeRefused(world, cr)
  )
    return undefined;
  const inputs = {};
  try {
    const { returned } = operator.composition(cr, inputs);
    const named = Object.entries(returned).map(([id, ref]) => {
      const child = world.list(ref.kind).find((each) => keyOf(refOf(each)) === keyOf(ref));
      return [id, child && ownerUidOf(child) === cr.metadata.uid ? child : undefined] as const;
    });
    const children = named.flatMap(([, child]) => child ?? []);
    const isOfOthers = children.some(({ kind }) => allOperators.some(({ resource }) => resource.kind === kind));
    if (children.length < named.length || isOfOthers) return undefined;
    return { status: operator.status(Object.fromEntries(named), inputs, cr), children };
  } catch {
    return undefined;
  }
}

/**
 * Whether the children of `cr` are those that an edition of the operators desires, as it desires them. `instead` is one that is to be
 * taken for what it was before, or for not having been there.
 */
export function isAsDesired(
  world: World,
  cr: KubeObject,
  operators: readonly Operator[],
  instead?: { readonly child: KubeObject; readonly before: KubeObject | undefined },
): boolean {
  const operator = operators.find(({ resource }) => resource.kind === cr.kind);
  if (!operator) return false;
  const there = operator.owns
    .flatMap(({ kind }) => world.list(kind))
    .filter((child) => child.metadata.uid !== instead?.child.metadata.uid);
  const mine = [...there, ...(instead?.before ? [instead.before] : [])].filter(
    (child) => ownerUidOf(child) === cr.metadata.uid,
  );
  // What is held by somebody's finalizer keeps nobody from being ready.
  const staying = mine.filter((child) => !isGoing(child));
  try {
    const { children } = operator.composition(cr, inputsOf(world, operator, cr));
    const found = new Map(staying.map((child) => [keyOf(refOf(child)), child]));
    return (
      children.length === staying.length &&
      children.every((manifest) => {
        const child = found.get(keyOf(refOf(manifest)));
        return child && isLike(manifest, child);
      })
    );
  } catch {
    return false;
  }
}

/** Whether something is there that `cr` desires, and is not its own, since somebody took the owner from it, or made it. */
export function lacksItsOwn(world: World, cr: KubeObject, operators: readonly Operator[]): boolean {
  const operator = operators.find(({ resource }) => resource.kind === cr.kind);
  try {
    const { children = [] } = operator?.composition(cr, inputsOf(world, operator, cr)) ?? {};
    const there = children.flatMap((manifest) => thereOf(world, manifest) ?? []);
    return there.some((child) => ownerUidOf(child) !== cr.metadata.uid);
  } catch {
    return false;
  }
}

function untruthsOf(world: World, operator: Operator, cr: KubeObject): string[] {
  const subject = show(refOf(cr));
  if (isGoing(cr)) return lingering(world, operator, cr);
  const status = (cr as { status?: { observedGeneration?: number } }).status ?? {};
  const found: string[] = [];
  if (status.observedGeneration !== cr.metadata.generation) {
    found.push(`${subject} says that it observed generation ${status.observedGeneration} of ${cr.metadata.generation}`);
  }
  found.push(...wrongConditions(cr));
  const ready = conditionIn(cr);
  const isPaused = conditionIn(cr, 'Paused')?.status === 'True';
  const restrained = restraintOf(cr, world.clock.now());
  if (isPaused !== (restrained === 'suspended')) {
    return [`${subject} ${isPaused ? 'says that it is suspended, and is not' : 'is suspended, and does not say so'}`];
  }
  // What becomes of it then is not decided here.
  if (restrained !== undefined) return restrained === 'suspended' ? [...wrongConditions(cr)] : found;
  const mine = operator.owns
    .flatMap(({ kind }) => world.list(kind))
    .filter((child) => ownerUidOf(child) === cr.metadata.uid);

  const inputs = inputsOf(world, operator, cr);
  let desired: readonly Manifest[];
  let returned: Readonly<Record<string, ObjectRef>>;
  try {
    ({ children: desired, returned } = operator.composition(cr, inputs));
    // Of a kind that there is not nothing can be.
    desired = desired.filter(({ kind }) => world.isServed(kind));
  } catch {
    if (ready?.reason !== 'RenderFailed') found.push(`${subject} cannot be composed, and says ${ready?.reason}`);
    return found;
  }
  const byName = new Map(mine.map((child) => [keyOf(refOf(child)), child]));
  const unwelcome = unwelcomeOf(world, cr, desired);
  const wrong = desired.flatMap((manifest) => {
    if (unwelcome.has(manifest)) return [];
    const child = byName.get(keyOf(refOf(manifest)));
    if (!child) return [`${show(refOf(manifest))} is desired by ${subject}, and is not there`];
    const { metadata, ...rest } = manifest;
    const { name: _, namespace: __, ...own } = metadata;
    const isDisowned = world.history.disowned.has(show(refOf(child)));
    const path =
      missing({ ...rest, metadata: own }, child, '') ?? (isDisowned ? undefined : superfluous(manifest, child));
    return path === undefined ? [] : [`${show(refOf(manifest))} is not as ${subject} desires: ${path}`];
  });
  const isReady = ready?.status === 'True';
  const hasGems = conditionIn(cr, 'GemAvailable');
  if (cr.kind === 'Review' && hasGems?.status !== (world.hasGems ? 'True' : 'False'))
    found.push(`${subject} says ${hasGems?.status} of Gems, and there are ${world.hasGems ? 'some' : 'none'}`);
  if (unwelcome.size === 0 && lacksConsent(world, operator, cr, inputs)) {
    if (isReady || (wrong.length === 0 && ready?.reason !== 'ConsentMissing' && !mine.some(isGoing)))
      found.push(`${subject} reads what is not shared with it, and says ${ready?.reason}`);
    if (ready?.reason !== 'ConsentMissing') return found;
    return [...found, ...wrong, ...unwanted(subject, desired, mine)];
  }
  if (unwelcome.size > 0) {
    const isSaid = ready?.reason === 'ConsentMissing';
    if (isReady || (wrong.length === 0 && !isSaid))
      found.push(`${subject} has a child where it is not accepted, and says ${ready?.reason}`);
    // That one is refused keeps no other from being right, unless that has to go first, or its name is somebody else's.
    if (!isSaid || mine.some(isGoing)) return found;
    const isTaken = desired.some((manifest) => !byName.has(keyOf(refOf(manifest))) && thereOf(world, manifest));
    return isTaken ? found : [...found, ...wrong];
  }
  // No custom resource is drawn of which something would have to be made anew that was adopted.
  if (ready?.reason === 'ImmutableField')
    found.push(`${subject} says "${ready.message}", and a child can be made anew`);
  if (isRefused(cr) && wrong.length === 0) {
    if (ready?.reason !== 'RenderFailed')
      found.push(`${subject} has a status that is refused, and says ${ready?.reason}`);
    return found;
  }
  // What was said before it took less may be said again; what is new may not.
  if (mayBeRefused(world, cr) && ready?.reason === 'RenderFailed') return found;
  if (isReady || ready === undefined) found.push(...wrong);
  if (ready === undefined) found.push(`${subject} has no condition Ready`);
  else if (!isReady && wrong.length === 0 && !mine.some((child) => isUnready(child) || isGoing(child)))
    found.push(`${subject} says "${ready.message}", and all is as desired`);
  if (isReady && wrong.length > 0) found.push(`${subject} says that it is ready`);
  const inTheWay = /^(\S+) is not ours/.exec(ready?.message ?? '')?.[1];
  const isThere = (name: string) =>
    operator.owns.some(({ kind }) => world.list(kind).some((each) => show(refOf(each)) === name));
  if (inTheWay !== undefined && !isThere(inTheWay))
    found.push(`${subject} says that ${inTheWay} is in its way, and that is not there`);
  // What failed keeps what it had: nothing is pruned until all children are applied.
  if (!isReady) return found;

  const wanted = new Set(desired.map((manifest) => keyOf(refOf(manifest))));
  for (const child of mine) {
    // What somebody's finalizer holds back has been deleted: nobody can do more.
    const kept = leftOf(cr) ?? child.metadata.annotations?.[removal] ?? 'delete';
    if (!wanted.has(keyOf(refOf(child))) && !isGoing(child) && kept === 'delete')
      found.push(`${show(refOf(child))} is a child of ${subject}, and is not desired`);
  }
  if (cr.kind === 'Trip') {
    const { value } = cr['spec'] as { readonly value: string };
    const seat = world.seats.of(cr.metadata.uid);
    if (seat?.value !== value) found.push(`${subject} has a seat of ${JSON.stringify(seat?.value)}, not of "${value}"`);
  }
  const far = mine.filter((child) => farOwnerOf(child) !== undefined);
  // What is noted of a kind that there is not stays so until it is back.
  const isOfThere = (note: string) => world.isServed(note.slice(note.lastIndexOf('_') + 1));
  const [has, notes] = [far.map(noteOf), notesOf(cr).filter(isOfThere)].map((all) => all.sort().join(' '));
  if (has !== notes) found.push(`${subject} has "${has}" far away, and its inventory "${notes}"`);
  const children = Object.entries(returned).map(([id, ref]) => [id, byName.get(keyOf(ref))] as const);
  for (const [field, value] of Object.entries(
    operator.status(Object.fromEntries(children), inputs, cr, { seat: world.seats.of(cr.metadata.uid) }),
  )) {
    const said = (status as Readonly<Record<string, unknown>>)[field];
    if (JSON.stringify(said) !== JSON.stringify(value)) {
      found.push(`${subject} says ${field} ${JSON.stringify(said)}, and it is ${JSON.stringify(value)}`);
    }
  }
  return found;
}

/** One that is being deleted goes when nothing far is left of it, which somebody's finalizer may hold for as long as it likes. */
function lingering(world: World, operator: Operator, cr: KubeObject): string[] {
  const children = operator.owns.flatMap(({ kind }) => world.list(kind));
  const isHeldUp = !isForced(cr) && children.some((child) => farOwnerOf(child) === cr.metadata.uid && isGoing(child));
  return isHeldUp ? [] : [`${show(refOf(cr))} is being deleted, and does not go`];
}

/** What may not be written where it is to be, for want of consent and of nothing else. */
function unwelcomeOf(world: World, cr: KubeObject, desired: readonly Manifest[]): ReadonlySet<Manifest> {
  return new Set(
    desired.filter((manifest) => {
      if (isAccepted(world, cr, manifest)) return false;
      const there = thereOf(world, manifest);
      if (!there) return true;
      // Whose it is somebody took from it, which is not put right there either.
      const owner = ownerUidOf(there) ?? (world.history.isOurs(there) ? cr.metadata.uid : undefined);
      return owner === cr.metadata.uid && !isGoing(there);
    }),
  );
}

/** What has the name of a child, whosever it is. */
function thereOf(world: World, manifest: Manifest): KubeObject | undefined {
  return world.list(manifest.kind).find((each) => keyOf(refOf(each)) === keyOf(refOf(manifest)));
}

function isAccepted(world: World, cr: KubeObject, { metadata: { namespace } }: Manifest): boolean {
  const { namespace: home = '' } = cr.metadata;
  if (namespace === home) return true;
  const there = world.list('Namespace').find(({ metadata }) => metadata.name === namespace);
  return (there?.metadata.annotations?.[acceptFrom] ?? '').split(',').includes(home);
}

/** True for a child that has all that is desired of it, and nothing that was desired once. */
function isLike(manifest: Manifest, child: KubeObject): boolean {
  const { name: _, namespace: __, ...own } = manifest.metadata;
  return missing({ ...manifest, metadata: own }, child, '') === undefined && superfluous(manifest, child) === undefined;
}

/** What it says of itself is refused by its own schema. */
function isRefused(cr: KubeObject): boolean {
  return cr.kind === Site.kind && isWordy((cr['spec'] ?? {}) as { readonly value?: unknown });
}

/** What it says of itself may be too long for its definition, for a while. */
function mayBeRefused(world: World, cr: KubeObject): boolean {
  return cr.kind === Site.kind && world.taken === 'short statuses';
}

/** A custom resource that says so: whoever has it as a child is not ready either. */
function isUnready(child: KubeObject): boolean {
  return conditionIn(child)?.status === 'False';
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** What should have gone, since its custom resource wants it no more. */
function unwanted(subject: string, desired: readonly Manifest[], mine: readonly KubeObject[]): string[] {
  const wanted = new Set(desired.map((manifest) => keyOf(refOf(manifest))));
  return mine
    .filter((child) => !wanted.has(keyOf(refOf(child))) && !isGoing(child))
    .map((child) => `${show(refOf(child))} is a child of ${subject}, and is not desired`);
}

/** It reads one object of another namespace that is not there, or is not shared with its own. */
function lacksConsent(world: World, operator: Operator, cr: KubeObject, inputs: Inputs): boolean {
  return Object.entries(operator.reads).some(([name, read]) => {
    const { namespace = cr.metadata.namespace } = read.select(cr as never) as One;
    if (read.type !== 'one' || namespace === cr.metadata.namespace || inputs[name] !== undefined) return false;
    const there = world.list('Namespace').find(({ metadata }) => metadata.name === namespace);
    return !there || !isSharedBy(there, cr);
  });
}

function isSharedBy({ metadata }: KubeObject, cr: KubeObject): boolean {
  return (metadata.annotations?.[shareWith] ?? '').split(',').includes(cr.metadata.namespace ?? '');
}

function inputsOf(world: World, operator: Operator, cr: KubeObject): Inputs {
  const { namespace: home } = cr.metadata;
  const sharing = new Set(
    world
      .list('Namespace')
      .filter((each) => isSharedBy(each, cr))
      .map(({ metadata }) => metadata.name),
  );
  return Object.fromEntries(
    Object.entries(operator.reads).map(([name, read]) => {
      const selected = read.select(cr as never) as Partial<One & Many>;
      const { namespace = home } = selected;
      const isShown = (each: KubeObject) => namespace === home || sharing.has(namespace ?? '') || isSharedBy(each, cr);
      const there = world
        .list(read.resource.kind)
        .filter((each) => each.metadata.namespace === namespace && isShown(each));
      if (read.type === 'one') return [name, there.find(({ metadata }) => metadata.name === selected.name)];
      const labels = Object.entries(selected.labels ?? {});
      return [name, there.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value))];
    }),
  );
}

/** A child of a Depot or of a Vault, which may stay when that is gone. */
export function isStock({ metadata }: KubeObject): boolean {
  return /^[dk]-/.test(metadata.name);
}

/** One that nobody lets go when its Depot does. */
export function isOfDepot({ metadata }: KubeObject): boolean {
  return metadata.name.startsWith('d-');
}

/** A key that was desired once and is not any more: nobody but us puts any there. */
function superfluous(desired: Manifest, found: KubeObject): string | undefined {
  const [want, is] = [desired, found].map((object) => Object.keys((object as { data?: object }).data ?? {}));
  const key = is?.find((each) => !want?.includes(each) && !isForeign(each));
  return key === undefined ? undefined : `data.${key} is there`;
}

/** The path of something in `desired` that `found` has not, or has otherwise. */
function missing(desired: unknown, found: unknown, path: string): string | undefined {
  if (typeof desired !== 'object' || desired === null) {
    return desired === found ? undefined : `${path} is ${JSON.stringify(found)}, not ${JSON.stringify(desired)}`;
  }
  if (Array.isArray(desired) && (!Array.isArray(found) || found.length !== desired.length)) {
    return `${path} is ${JSON.stringify(found)}, not ${JSON.stringify(desired)}`;
  }
  for (const [key, value] of Object.entries(desired)) {
    const there = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
    const problem = missing(value, there, path === '' ? key : `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
