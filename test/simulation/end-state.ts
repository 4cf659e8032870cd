import type { Json, KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';
import { conditionIn } from '../condition-in.js';
import { farOwnerOf, ownerUidOf, ownFinalizer, uidLabel } from './far.js';
import { isForeign } from './foreign-fields.js';
import { kinds } from './kinds.js';
import { allOperators } from './operators/all.js';
import { desiredBy, isStock } from './truth.js';
import type { World } from './world.js';

/** A cluster's objects by name, without what time, chance and others decide. */
export type EndState = Readonly<Record<string, Json>>;

export function endStateOf(world: World): EndState {
  const state: Record<string, Json> = {};
  const failed = failedOnes(world);
  const failedUids = new Set(failed.map(({ metadata }) => metadata.uid));
  const failedNamespaces = new Set(failed.map(({ metadata }) => metadata.namespace));
  const stocked = new Set([...world.list('Depot'), ...world.list('Vault')].flatMap((cr) => [...desiredBy(world, cr)]));
  const uids = new Set(Object.keys(kinds).flatMap((kind) => world.list(kind).map(({ metadata }) => metadata.uid)));
  for (const kind of Object.keys(kinds)) {
    if (kind === 'Pod') continue;
    for (const object of world.list(kind)) {
      if (failedUids.has(ownerUidOf(object) ?? '')) continue;
      // What a Depot or a Vault has left behind, or keeps though it is not wanted, was a matter of time.
      if (isStock(object) && !stocked.has(show(refOf(object)))) continue;
      state[show(refOf(object))] = withoutChance(object, uids, failedNamespaces);
    }
  }
  return state;
}

/**
 * Where two states differ, in words; at most so many. Of `disowned` objects it was a matter of time whether a key that is
 * desired no more could still be told from one that is another's, in either run. That none is missing which is desired, is
 * seen to in `untruths`.
 */
export function differencesOf(expected: EndState, found: EndState, disowned: ReadonlySet<string>, most = 5): string[] {
  const said: string[] = [];
  for (const name of [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()) {
    const [want, is] = [expected[name], found[name]];
    if (want === undefined) said.push(`${name} is there, and is not in the undisturbed run`);
    else if (is === undefined) said.push(`${name} is missing, and is there in the undisturbed run`);
    else
      for (const path of pathsThatDiffer(want, is, ''))
        if (!disowned.has(name) || !/^data\.\w+ is (.* instead of null$|null instead of )/.test(path))
          said.push(`${name} differs from the undisturbed run: ${path}`);
  }
  return said.slice(0, most);
}

function* pathsThatDiffer(want: Json, is: Json, path: string): Generator<string> {
  if (JSON.stringify(want) === JSON.stringify(is)) return;
  if (!isMap(want) || !isMap(is)) {
    yield `${path} is ${JSON.stringify(is)} instead of ${JSON.stringify(want)}`;
    return;
  }
  for (const key of new Set([...Object.keys(want), ...Object.keys(is)])) {
    yield* pathsThatDiffer(want[key] ?? null, is[key] ?? null, path === '' ? key : `${path}.${key}`);
  }
}

/**
 * Custom resources that cannot be made. They keep what they had, children and what their author's code said of them, and
 * what that was depends on when it was. So does what others of the namespace say of them.
 */
function failedOnes(world: World): readonly KubeObject[] {
  const isFailed = (cr: KubeObject) => {
    const ready = conditionIn(cr);
    return ready?.status === 'False' && ready.reason !== 'Progressing';
  };
  return allOperators.flatMap(({ resource }) => world.list(resource.kind).filter(isFailed));
}

function withoutChance(object: KubeObject, uids: ReadonlySet<string>, failed: ReadonlySet<string | undefined>): Json {
  const { metadata, ...rest } = object;
  const { labels, annotations, ownerReferences = [], finalizers } = metadata;
  const far = farOwnerOf(object);
  const owners = [
    ...ownerReferences.map(({ kind, name, uid }) => `${kind}/${name}${uids.has(uid) ? '' : ', which is gone'}`),
    ...(far === undefined || uids.has(far) ? [] : ['one far away, which is gone']),
  ];
  const { data, status, spec, ...others } = rest as {
    readonly [part in 'data' | 'status' | 'spec']?: Record<string, Json>;
  };
  return sorted({
    ...(others as Record<string, Json>),
    labels: ours(labels, [uidLabel]),
    annotations: ours(annotations, ['kilter.dev/applied-hash']),
    owners,
    // Ours stays from the first far child on, and whether there ever was one is a matter of time.
    finalizers: (finalizers ?? []).filter((finalizer) => !isForeign(finalizer) && finalizer !== ownFinalizer),
    isGoing: metadata.deletionTimestamp !== undefined,
    // How often an object was changed is a matter of chance.
    data: ours(data, ['generation']),
    ...(spec ? { spec: object.kind === 'Gem' ? ours(spec, ['generation']) : spec } : {}),
    ...(status ? { status: statusOf(status, metadata.generation ?? 0, failed.has(metadata.namespace)) } : {}),
  });
}

function ours(fields: Readonly<Record<string, Json>> = {}, without: readonly string[] = []): Json {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !isForeign(key) && !without.includes(key)));
}

function statusOf(
  { conditions, observedGeneration, nodes, inventory, collisionCount: _, ...rest }: Record<string, Json>,
  generation: number,
  isOfChance: boolean,
): Json {
  const claims = ((conditions ?? []) as unknown as readonly Record<string, Json>[])
    // Whether there was a child that others could add to was a matter of time.
    .filter(({ type }) => type !== 'Drifted')
    // So was whether somebody fought before it could be composed no more.
    .filter(({ type, observedGeneration: at }) => type !== 'Fighting' || at === generation)
    .map(({ lastTransitionTime: _, lastUpdateTime: __, observedGeneration: at, ...claim }) => ({
      ...claim,
      // Whether there was something to apply to was a matter of time.
      message: String(claim['message' as never])
        .replace(/ (create|apply) failed: /, ' write failed: ')
        // The name of a ReplicaSet has more than one end, if an older Deployment of the name has left one behind.
        .replace(/ReplicaSet "([\w-]+)-\w+"/, 'ReplicaSet "$1"'),
      isOfNow: at === undefined || at === generation,
    }))
    .sort((a, b) => (String(a['type' as never]) < String(b['type' as never]) ? -1 : 1));
  // So is whether an inventory was ever written that is empty.
  const { entries = [] } = (inventory ?? {}) as unknown as { readonly entries?: readonly Json[] };
  return {
    ...(isOfChance ? {} : rest),
    ...(isOfChance || entries.length === 0 || entries.every(isOfStock) ? {} : { inventory: inventoryOf(entries) }),
    ...(observedGeneration === undefined ? {} : { isOfNow: observedGeneration === generation }),
    ...(conditions === undefined ? {} : { conditions: claims as unknown as Json }),
    // Pods have names by chance.
    ...(nodes === undefined ? {} : { nodes: (nodes as readonly Json[]).length }),
  };
}

/** They are in the order in which they were made, which was a matter of time. */
function inventoryOf(entries: readonly Json[]): Json {
  return entries.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/**
 * What a Depot or a Vault keeps though it is not wanted was a matter of time, and truth.ts has what else is in its inventory. So was
 * whether a Gem was made before its kind went.
 */
function isOfStock(entry: Json): boolean {
  return /_[dk]-|_Gem"/.test(JSON.stringify(entry));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] as Json)]));
}

function isMap(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
