import { Deployment } from '../../../imports/k8s.js';
import type { Target } from '../../../src/client/cluster.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Foo } from '../../../src/operators/foo.js';
import { type Custom, type Deeds, type Hands, named, namespaces, readyOf } from './hands.js';

/** In each namespace. There are fewer names than Foos that want one. */
const [mostFoos, mostNames] = [5, 4];
const names = /^d\d+$/;

interface Chooser extends Custom {
  readonly spec: { readonly deploymentName: string; readonly replicas: number };
}

type Server = KubeObject & { readonly spec: { readonly replicas: number } };

/** What people do to Foos, which take the names of their Deployments from each other. */
export function fooDeeds(hands: Hands): Deeds {
  const { dice } = hands;
  const deploymentName = () => `d${dice.whole(1, mostNames)}`;
  const foo = () => hands.some(Foo);
  const create = (target: Target) => hands.create(Foo, target, { spec: { deploymentName: deploymentName() } });
  return {
    'a creation': () => create({ namespace: dice.one(namespaces), name: `f${dice.whole(1, mostFoos)}` }),
    'another name': () => hands.merge(Foo, foo(), { spec: { deploymentName: deploymentName() } }),
    'other replicas': () => hands.merge(Foo, foo(), { spec: { replicas: dice.whole(1, 2) } }),
    'an end': () => hands.delete(Foo, foo()),
    'one that is made anew': () => hands.makeAnew(Foo, create),
    'a Deployment that goes': () => hands.delete(Deployment, hands.some(Deployment, names)),
  };
}

/** A name belongs to whoever took it first, and is taken by the next one when it is given up. */
export async function wrongFoos(cluster: HttpCluster): Promise<readonly string[]> {
  const foos = (await cluster.list(Foo)).items as Chooser[];
  const servers = (await cluster.list(Deployment)).items.filter(({ metadata }) => names.test(metadata.name));
  const ownerOf = ({ metadata }: KubeObject) =>
    foos.find(({ metadata: { uid } }) => uid === metadata.ownerReferences?.[0]?.uid);
  const desiredBy = ({ metadata, spec }: Chooser) =>
    (servers as Server[]).find(
      (server) => server.metadata.namespace === metadata.namespace && server.metadata.name === spec.deploymentName,
    );
  const isBlocked = (foo: Chooser) => {
    const server = desiredBy(foo);
    return server !== undefined && ownerOf(server) !== foo;
  };
  return [
    // What is not desired any more goes when what is desired is there.
    ...servers
      .filter((server) => {
        const owner = ownerOf(server);
        return owner === undefined || (desiredBy(owner) !== server && !isBlocked(owner));
      })
      .map((server) => `${named(server)} is left behind`),
    ...foos.flatMap((foo) => {
      const server = desiredBy(foo);
      if (server === undefined) return [`${named(foo)} has no Deployment ${foo.spec.deploymentName}`];
      const isToBe = isBlocked(foo) ? 'Ready=False:ApplyConflict' : 'Ready=True';
      const ready = readyOf(foo);
      if (ready !== isToBe) return [`${named(foo)} is ${ready}, and is to be ${isToBe}`];
      return isBlocked(foo) || server.spec.replicas === foo.spec.replicas
        ? []
        : [`${named(server)} has other replicas`];
    }),
  ];
}
