import { beforeAll, expect, it } from '@jest/globals';
import { ClusterRole, ClusterRoleBinding, CustomResourceDefinition } from '../../imports/k8s.js';
import { NotFoundError } from '../../src/client/api-error.js';
import { customResource, type KubeObject, type Manifest, operator, s } from '../../src/index.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { type Account, Stage } from '../cluster/stage.js';

const Lantern = customResource({
  group: 'lanterns.example.com',
  version: 'v1',
  kind: 'Lantern',
  spec: s.object({ size: s.int32({ default: 1 }) }),
  status: s.object({ lit: s.boolean() }),
});
const Flame = customResource({
  group: 'lanterns.example.com',
  version: 'v1',
  kind: 'Flame',
  spec: s.object({ size: s.int32(), oil: s.string({ optional: true }) }),
});

const lantern = operator(Lantern, {
  owns: [Flame],
  adopt: 'orphans',
  compose(scope, { spec: { size } }) {
    new Flame(scope, 'flame', { spec: { size: size + 1 } });
  },
  status: () => ({ lit: true }),
});

type Definition = Manifest & { readonly spec: { readonly versions: readonly object[] } };

/** The definition with an older version that is served, too. */
function withOlder(definition: Manifest): Manifest {
  const { spec, ...rest } = definition as Definition;
  const older = spec.versions.map((version) => ({ ...version, name: 'v1alpha1', storage: false }));
  return { ...rest, spec: { ...spec, versions: [...spec.versions, ...older] } } as unknown as Manifest;
}

/** Whose account may say of lanterns what became of them, and change nothing else of them. */
class LimitedStage extends Stage {
  protected override async prepare(): Promise<Account> {
    const account = { namespace: 'default', name: 'limited' };
    const rule = (resources: readonly string[], verbs: readonly string[], group = 'lanterns.example.com') => ({
      apiGroups: [group],
      resources,
      verbs,
    });
    await this.create(ClusterRole, {
      metadata: { name: account.name },
      rules: [
        rule(['lanterns', 'flames'], ['list', 'watch']),
        rule(['lanterns/status'], ['patch']),
        rule(['flames'], ['create', 'patch', 'delete']),
        rule(['events'], ['create', 'patch'], 'events.k8s.io'),
      ],
    });
    await this.create(ClusterRoleBinding, {
      metadata: { name: account.name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account.name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
    return account;
  }
}

onRealCluster('objects that were written in a version that is gone', {}, (plane) => {
  const definitions = [Lantern.crd(), Flame.crd()];
  const stage = new LimitedStage(plane, definitions.map(withOlder));
  const older = ({ kind, plural }: { readonly kind: string; readonly plural: string }) => ({
    apiVersion: 'lanterns.example.com/v1alpha1',
    kind,
    plural,
    namespaced: true,
  });
  const { apiVersion, kind } = older(Lantern);

  beforeAll(async () => {
    const metadata = { name: 'old', namespace: 'default' };
    const write = { fieldManager: 'a-person', force: true };
    await stage.admin.apply(older(Lantern), { apiVersion, kind, metadata, spec: { size: 1 } }, write);
    const flame = {
      apiVersion,
      kind: 'Flame',
      metadata: { ...metadata, name: 'old-flame' },
      spec: { size: 1, oil: 'olive' },
    };
    await stage.admin.apply(older(Flame), flame, write);
    for (const { metadata: of, spec } of definitions) await stage.change(CustomResourceDefinition, of.name, { spec });
    for (const kind of [Lantern, Flame]) {
      const looked = () => stage.admin.list(older(kind)).catch((error: unknown) => error);
      await eventually(async () => expect(await looked()).toBeInstanceOf(NotFoundError));
    }
  });

  it('D-26: are children like any other, and said what became of', async () => {
    await stage.start([lantern]);
    await eventually(async () => expect(await stage.condition(Lantern, 'old')).toMatchObject({ status: 'True' }));
    expect((await stage.get(Flame, 'old-flame')).spec).toEqual({ size: 2, oil: 'olive' });
  });

  it('D-26: are as much whose they were as before', async () => {
    const { metadata } = (await stage.admin.get(Flame, { namespace: 'default', name: 'old-flame' })) as KubeObject;
    const writers = metadata.managedFields?.map(({ manager, apiVersion: version }) => `${manager} ${version}`).sort();
    expect(writers).toEqual(['a-person lanterns.example.com/v1', 'lantern lanterns.example.com/v1']);
  });
});
