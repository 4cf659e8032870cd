import { virtualKinds } from '../auth/virtual-kinds.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { methodNotAllowed, noSuchPath, notEmbedded, notFound } from '../status-error.js';
import type { Door } from './door.js';
import { PageNotFound } from './page.js';
import type { ResourceRoute } from './route.js';
import { isTyped } from './typed-kind.js';

/** What the real server has under Pods and others, and this one has not, with the reason. */
const notHere: Readonly<Record<string, string>> = {
  'certificatesigningrequests.certificates.k8s.io/approval': 'no certificate is signed',
  'nodes/proxy': 'there is no kubelet',
  'pods/attach': 'no container runs',
  'pods/ephemeralcontainers': 'no container runs',
  'pods/eviction': 'delete the Pod instead',
  'pods/exec': 'no container runs',
  'pods/log': 'no container runs',
  'pods/portforward': 'no container runs',
  'pods/proxy': 'no container runs',
  'pods/resize': 'no container runs',
  'services/proxy': 'no container runs',
};

/** Whether the real server itself serves the group: it then knows all of its paths. */
export function isOwnGroup({ kinds }: Door, group: string): boolean {
  return (
    kinds.all.some((kind) => kind.group === group && isTyped(kind)) ||
    [...virtualKinds.values()].some((kind) => kind.group === group)
  );
}

/** Throws where no objects of the kind are at that path, in a namespace or in none. */
export function checkPlace(kind: ServedKind, { namespace, name }: ResourceRoute, method: string): void {
  const unknown = () => (isTyped(kind) ? noSuchPath() : new PageNotFound());
  if (!kind.namespaced && namespace !== undefined) throw unknown();
  if (kind.namespaced && namespace === undefined) {
    if (name !== undefined) throw unknown();
    if (method !== 'GET' && method !== 'HEAD') throw isTyped(kind) ? methodNotAllowed() : new PageNotFound();
  }
}

/** Throws where the kind has no such subresource, here or at all. */
export function checkSubresource(kind: ServedKind, { name = '', subresource, rest }: ResourceRoute): void {
  if (subresource === undefined) return;
  const path = `${kind.storage}/${subresource}`;
  if (Object.hasOwn(notHere, path)) throw notEmbedded(`${path} (${notHere[path]})`);
  if (rest.length === 0 && hasSubresource(kind, subresource)) return;
  throw isTyped(kind) ? noSuchPath() : notFound({ group: kind.group, name: kind.plural }, name);
}

function hasSubresource({ subresources, storage }: ServedKind, name: string): boolean {
  if (name === 'finalize') return storage === 'namespaces';
  if (name === 'binding') return storage === 'pods';
  return (name === 'status' && subresources.status) || (name === 'scale' && subresources.scale !== undefined);
}
