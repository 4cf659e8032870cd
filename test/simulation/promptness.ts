import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { placeOf, refOf, show } from '../../src/kube/object-ref.js';
import { controllerOf } from '../../src/kube/owner-reference.js';
import { conditionIn } from '../condition-in.js';
import { Dice } from './dice.js';
import { namespaces } from './draw-workload.js';
import { acceptFrom, ownerUidOf, shareWith } from './far.js';
import { kindOf } from './kinds.js';
import { allOperators } from './operators/all.js';
import type { Schedule } from './schedule.js';
import { untruths } from './truth.js';
import type { World } from './world.js';
import { wrongValue } from './wrong-value.js';

/** While nothing goes wrong, all that follows from a change has followed after so long. */
export const promptSeconds = 3;
/** So many failures in a row make a wait that is far longer; after so long it is over. */
const manyFailures = { times: 11, seconds: 60 };

const ready = 'it is ready';

const by = { fieldManager: 'latecomer' };

/** What should have followed from the last change and has not; nothing while somebody changes back what is put back. */
export function lateOnes(world: World): string[] {
  if (isFoughtOver(world)) return [];
  return untruths(world).map((untruth) => `${promptSeconds} s after a change, ${untruth}`);
}

/** True when a custom resource says that somebody changes back what we put back. */
export function isFoughtOver(world: World): boolean {
  return allOperators.some(({ resource }) =>
    world.list(resource.kind).some((cr) => conditionIn(cr, 'Fighting')?.status === 'True'),
  );
}

/**
 * A cluster at rest is changed once more: whoever came through all that went wrong with a deaf watch, a wait that nobody
 * ends or an index that lost something has to show it now. Returns what did not follow in time.
 */
export async function surprise(
  world: World,
  { seed, restartSeconds, tours = false, extras = false, vaults = false, reviews = false }: Schedule,
): Promise<readonly string[]> {
  const dice = new Dice(seed);
  const late: string[] = [];
  let before = readyOnes(world);
  const follows = async (seconds = promptSeconds) => {
    await world.advanceTo(world.clock.monotonic() / 1000 + seconds, restartSeconds);
    late.push(...lateOnes(world));
    late.push(...unreadyOnes(world, before).map((each) => `${seconds} s after a change, ${each}`));
  };
  const ends = async (kind: string) => {
    const ended = await endOne(world, kind);
    before = before.filter((name) => name !== ended);
    await follows();
  };
  const fail = (kind: string, times: number) => {
    for (const { faults } of world.replicas) faults.refuse({ verb: 'write', kind }, { code: 500, times });
  };
  const isReady = (child: KubeObject) => {
    const { kind = '', name = '' } = controllerOf(child) ?? {};
    return before.some((each) => each === `${kind}/${child.metadata.namespace}/${name}`);
  };
  const one = dice.percent(25) ? childrenOf(world).find(isReady) : undefined;
  if (one) {
    // What failed for long, and then went well, is not made to wait when it fails again.
    for (const { times, seconds } of [manyFailures, { times: 1, seconds: promptSeconds }]) {
      fail(one.kind, times);
      await change(world, one, 'value', `after-${times}`);
      await follows(seconds);
      for (const { faults } of world.replicas) faults.clear();
    }
  }
  for (const child of childrenOf(world)) {
    if (dice.percent(50)) continue;
    // What is nobody's when its owner is made anew is not the new one's.
    const disown = controllerOf(child)?.name.startsWith('f-') ? 0 : 2;
    await change(world, child, dice.weighted({ value: 4, delete: 3, labels: 2, disown }), 'late');
  }
  await follows();
  await inputOf(world, dice);
  await follows();
  await editOf(world);
  await follows();
  if (reviews) {
    await shareAll(world);
    await follows();
    await retell(world);
    await follows();
    await ends('Review');
  }
  if (tours) {
    // Whoever is deaf to Namespaces shows it now; none that was accepted is turned away.
    await acceptAll(world);
    await follows();
    await ends('Tour');
  }
  if (extras) await ends('Trip');
  if (vaults) await ends('Vault');
  return late;
}

/** The custom resources that say that they are ready. */
export function readyOnes(world: World): readonly string[] {
  return [...wordsOf(world)].flatMap(([name, said]) => (said === ready ? [name] : []));
}

/** What those that were ready before say by now, where that is something else. */
export function unreadyOnes(world: World, before: readonly string[]): readonly string[] {
  const now = wordsOf(world);
  return before.flatMap((name) => {
    const said = now.get(name) ?? 'nothing';
    return said === ready ? [] : [`${name} is not ready as it was: ${said}`];
  });
}

/** What each custom resource says of itself: that it is ready, or why not. */
function wordsOf(world: World): ReadonlyMap<string, string> {
  const crs = allOperators.flatMap(({ resource }) => world.list(resource.kind));
  return new Map(
    crs.map((cr) => {
      const said = conditionIn(cr);
      return [show(refOf(cr)), said?.status === 'True' ? ready : (said?.message ?? 'nothing')];
    }),
  );
}

export function childrenOf(world: World): readonly KubeObject[] {
  const { operators } = world;
  const crs = operators.flatMap(({ resource }) => world.list(resource.kind));
  const uids = new Set(crs.map(({ metadata }) => metadata.uid));
  const owned = [...new Set(operators.flatMap(({ owns }) => owns.map(({ kind }) => kind)))];
  return owned
    .flatMap((kind) => world.list(kind))
    .filter((child) => uids.has(ownerUidOf(child) ?? '') && child.metadata.deletionTimestamp === undefined);
}

export async function change(
  { user }: World,
  { kind: name, metadata }: KubeObject,
  what: 'value' | 'delete' | 'labels' | 'disown',
  wrong: string,
): Promise<void> {
  const kind = kindOf(name);
  const target = placeOf(metadata);
  const patch = (body: object) => user.patch(kind, target, { type: 'merge', body }, { fieldManager: wrong });
  switch (what) {
    case 'delete':
      await user.delete(kind, target);
      return;
    case 'labels':
      await patch({ metadata: { labels: null } });
      return;
    case 'disown':
      await patch({ metadata: { ownerReferences: null } });
      return;
    case 'value':
      await patch(wrongValue({ kind: name, name: metadata.name }, wrong));
  }
}

/** What custom resources read becomes an input of others, or of nobody. */
export async function inputOf(world: World, dice: Dice): Promise<void> {
  for (const input of world.list('Secret')) {
    const { labels = {}, deletionTimestamp } = input.metadata;
    if (labels['role'] !== 'input' || deletionTimestamp !== undefined) continue;
    const topic = dice.one(['cats', 'dogs', 'nothing']);
    const body = { metadata: { labels: { topic } } };
    await world.user.patch(kindOf('Secret'), placeOf(input.metadata), { type: 'merge', body }, by);
  }
}

/** A user changes one custom resource, or makes one where there is none. */
export async function editOf(world: World, text = 'late'): Promise<void> {
  const { metadata } = world.list('Site').find((site) => !controllerOf(site)) ?? {
    metadata: { namespace: 'default', name: 'late' },
  };
  const kind = kindOf('Site');
  // Under a name that nobody else has.
  const spec = { value: text, suffix: text };
  const manifest: Manifest = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: placeOf(metadata), spec };
  await world.user.apply(kind, manifest, { ...by, force: true });
}

/** Every namespace accepts from now on what anybody wants to have in it. */
async function acceptAll({ user }: World): Promise<void> {
  const body = { metadata: { annotations: { [acceptFrom]: namespaces.join() } } };
  for (const name of namespaces) await user.patch(kindOf('Namespace'), { name }, { type: 'merge', body }, by);
}

/** Every namespace shares all that it has with everybody. */
async function shareAll({ user }: World): Promise<void> {
  const body = { metadata: { annotations: { [shareWith]: namespaces.join() } } };
  for (const name of namespaces) await user.patch(kindOf('Namespace'), { name }, { type: 'merge', body }, by);
}

/** What several Reviews read says something else. */
async function retell(world: World): Promise<void> {
  for (const { metadata } of world.list('ConfigMap').filter((each) => each.metadata.name === 'lore')) {
    const body = { data: { title: 'late' } };
    await world.user.patch(kindOf('ConfigMap'), placeOf(metadata), { type: 'merge', body }, by);
  }
}

/** A user deletes a custom resource: what is far of it, or outside, has to go, too. Returns which. */
async function endOne(world: World, kind: string): Promise<string | undefined> {
  const one = world.list(kind).find(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (!one) return undefined;
  await world.user.delete(kindOf(kind), placeOf(one.metadata));
  return show(refOf(one));
}
