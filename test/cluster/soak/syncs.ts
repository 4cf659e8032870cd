import { ConfigMap, Namespace } from '../../../imports/k8s.js';
import type { Target } from '../../../src/client/cluster.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import { acceptFrom, consents, shareWith } from '../../../src/kube/consent.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { ConfigMapSync } from '../../../src/operators/config-map-sync.js';
import { type Custom, type Deeds, type Hands, lasting, named, namespaces, passing, readyOf } from './hands.js';

const [mostSyncs, mostNames] = [5, 3];
const names = /^c\d+$/;

interface Sync extends Custom {
  readonly spec: {
    readonly sourceNamespace: string;
    readonly destinationNamespace: string;
    readonly configMapName: string;
  };
}

type Content = KubeObject & { readonly data?: Json };

/** Of a namespace or an object in it: with which others it has to do. */
export function consentOf({ dice }: Hands): Readonly<Record<string, string>> {
  const some = () => namespaces.filter(() => dice.percent(85)).join(',');
  return { [acceptFrom]: some(), [shareWith]: some() };
}

/** What people do to ConfigMapSyncs, to what is copied, and to the copies. */
export function syncDeeds(hands: Hands): Deeds {
  const { cluster, dice } = hands;
  const configMapName = () => `c${dice.whole(1, mostNames)}`;
  const data = () => ({ value: `${dice.whole(0, 999)}` });
  const sync = () => hands.some(ConfigMapSync);
  const source = () => hands.some(ConfigMap, names, lasting);
  const copy = () => hands.some(ConfigMap, names, dice.one(passing));
  const spec = () => {
    const destinationNamespace = dice.one(passing);
    const sourceNamespace = dice.one([lasting, ...namespaces.filter((each) => each !== destinationNamespace)]);
    return { sourceNamespace, destinationNamespace, configMapName: configMapName() };
  };
  const create = (target: Target) => hands.create(ConfigMapSync, target, { spec: spec() });
  const createSource = (target: Target) => hands.create(ConfigMap, target, { data: data() }, consentOf(hands));
  return {
    'a creation': () => create({ namespace: dice.one(namespaces), name: `s${dice.whole(1, mostSyncs)}` }),
    'other places': () => hands.merge(ConfigMapSync, sync(), { spec: spec() }),
    'an end': () => hands.delete(ConfigMapSync, sync()),
    'one that is made anew': () => hands.makeAnew(ConfigMapSync, create),
    'a source': () => createSource({ namespace: lasting, name: configMapName() }),
    'other data': () => hands.merge(ConfigMap, source(), { data: data() }),
    'more data': () => hands.merge(ConfigMap, source(), { data: { [`key-${dice.whole(1, 3)}`]: 'some' } }),
    'a source that goes': () => hands.delete(ConfigMap, source()),
    'a source that is made anew': async () => {
      const target = await source();
      await cluster.delete(ConfigMap, target);
      await createSource(target);
    },
    'a copy that goes': () => hands.delete(ConfigMap, copy()),
    'a copy that drifts': () => hands.drift(ConfigMap, copy(), { data: { value: 'drifted' } }),
    'another consent of a source': () =>
      hands.merge(ConfigMap, source(), { metadata: { annotations: consentOf(hands) } }),
    'another consent of a namespace': () =>
      hands.merge(Namespace, { name: dice.one(passing) }, { metadata: { annotations: consentOf(hands) } }),
  };
}

/** A copy is where both sides consent, in the words of the source, and nowhere else but where its namespace has ceased to accept it. */
export async function wrongSyncs(cluster: HttpCluster): Promise<readonly string[]> {
  const [syncs, contents, spaces] = (await Promise.all(
    [ConfigMapSync, ConfigMap, Namespace].map(async (kind) => (await cluster.list(kind)).items),
  )) as [Sync[], Content[], KubeObject[]];
  const find = (namespace: string, name: string) =>
    contents.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  const space = (name: string) => spaces.find(({ metadata }) => metadata.name === name);
  const ownerOf = ({ metadata }: KubeObject) =>
    syncs.find(({ metadata: { uid } }) => uid === metadata.labels?.['apps.bixbite.io/owner-uid']);

  const sourceOf = ({ metadata: { namespace = '' }, spec: { sourceNamespace, configMapName } }: Sync) => {
    const source = find(sourceNamespace, configMapName);
    const sharing = [source, space(sourceNamespace)];
    const isShared = sourceNamespace === namespace || sharing.some((each) => consents(each, shareWith, namespace));
    return isShared ? source : undefined;
  };
  const isAccepted = ({ metadata: { namespace = '' }, spec: { destinationNamespace } }: Sync) =>
    namespace === destinationNamespace || consents(space(destinationNamespace), acceptFrom, namespace);
  const inPlaceOf = ({ spec }: Sync) => find(spec.destinationNamespace, spec.configMapName);
  const isBlocked = (sync: Sync) => {
    const there = inPlaceOf(sync);
    return (
      !isAccepted(sync) || (there !== undefined && ownerOf(there) !== sync) || !space(sync.spec.destinationNamespace)
    );
  };

  const copies = contents.filter(({ metadata }) => metadata.labels?.['apps.bixbite.io/owner-uid'] !== undefined);
  const stray = copies.filter((copy) => {
    const owner = ownerOf(copy);
    if (owner === undefined || sourceOf(owner) === undefined) return true;
    return inPlaceOf(owner) !== copy && !isBlocked(owner);
  });
  return [
    ...stray.map((copy) => `${named(copy)} is left behind`),
    ...syncs.flatMap((sync) => {
      const [source, copy, ready] = [sourceOf(sync), inPlaceOf(sync), readyOf(sync)];
      if (source === undefined || isBlocked(sync)) {
        return /^Ready=False/.test(ready) ? [] : [`${named(sync)} is ${ready}, and can have no copy`];
      }
      if (copy === undefined) return [`${named(sync)} has no copy`];
      const [is, isToBe] = [JSON.stringify(copy.data), JSON.stringify(source.data)];
      if (is !== isToBe) return [`${named(copy)} has ${is}, and is to have ${isToBe}`];
      return ready === 'Ready=True' ? [] : [`${named(sync)} is ${ready}`];
    }),
  ];
}
