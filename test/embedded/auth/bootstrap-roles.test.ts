import { describe, expect, it } from '@jest/globals';
import { defaultRoles } from '../../../src/embedded/auth/default-roles.js';
import { EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import { systemClock } from '../../../src/kube/clock.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { admin } from './desk.js';

const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 2) };
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const roles = defaultRoles();
const withoutIdentity = ({ metadata: { uid, resourceVersion, ...metadata }, ...content }: KubeObject) => ({
  ...content,
  metadata,
});

describe('the roles of a new cluster', () => {
  it('are stored as a create stores them', () => {
    const { store, kinds, verbs } = new EmbeddedServer({ controllers: false, clock });
    for (const role of roles) {
      const kind = kinds.kind('rbac.authorization.k8s.io', 'v1', role.kind)!;
      const { name, namespace } = role.metadata as KubeObject['metadata'];
      const stored = store.get(kind.storage, namespace, name)!;
      const address = namespace === undefined ? { name } : { namespace, name };
      verbs.delete(kind, address, {}, { caller: admin });
      const request = { caller: admin, fieldManager: 'kube-apiserver' };
      verbs.create(kind, namespace, role as unknown as Json, request);
      const created = store.get(kind.storage, namespace, name)!;
      expect(JSON.stringify(withoutIdentity(stored))).toBe(JSON.stringify(withoutIdentity(created)));
    }
    expect(roles.length).toBeGreaterThan(100);
  });

  it('have a uid of their own on each server', () => {
    const [one, other] = [new EmbeddedServer({ controllers: false }), new EmbeddedServer({ controllers: false })];
    const uids = [one, other].flatMap(({ store }) =>
      store.list('clusterroles.rbac.authorization.k8s.io').map(({ metadata }) => metadata.uid),
    );
    expect(uids.length).toBeGreaterThan(100);
    expect(new Set(uids).size).toBe(uids.length);
  });

  it('are not made anew over what somebody changed before the server was started again', () => {
    const first = new EmbeddedServer({ controllers: false });
    const kind = first.kinds.kind('rbac.authorization.k8s.io', 'v1', 'ClusterRole')!;
    const body = [{ op: 'replace', path: '/rules', value: [pods] }] as const;
    first.verbs.patch(kind, { name: 'system:discovery' }, { type: 'json', operations: body }, { caller: admin });
    const objects = first.store.resources.flatMap((resource) =>
      first.store.list(resource).map((object) => [resource, object] as const),
    );
    const state = { revision: first.store.revision, objects };
    const second = new EmbeddedServer({ controllers: false, state });
    const roleOf = ({ store }: EmbeddedServer) => store.get(kind.storage, undefined, 'system:discovery');
    expect(roleOf(second)).toEqual(roleOf(first));
    expect(roleOf(second)?.['rules']).toEqual([pods]);
    expect(second.store.list(kind.storage)).toHaveLength(first.store.list(kind.storage).length);
  });
});
