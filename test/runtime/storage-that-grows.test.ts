import { expect, it } from '@jest/globals';
import { PersistentVolumeClaim, StatefulSet, StorageClass } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

/** As the page about what is stuck has it: a StatefulSet takes the claims that are composed beside it, which may grow. */
const Postgres = customResource({
  group: 'pg.example.com',
  version: 'v1',
  kind: 'Postgres',
  spec: s.object({ instances: s.int32({ default: 2 }), size: s.quantity({ default: '1Gi' }) }),
});
const access = { accessModes: ['ReadWriteOnce'], storageClassName: 'fast' } as const;
const claimed = (storage: string | number) => ({ ...access, resources: { requests: { storage } } });

const postgres = operator(Postgres, {
  owns: [PersistentVolumeClaim, StatefulSet],
  adopt: 'orphans',
  compose(scope, { metadata, spec }) {
    const labels = { app: metadata.name };
    for (let index = 0; index < spec.instances; index++) {
      const annotations = { 'kilter.dev/removal': 'retain' };
      new PersistentVolumeClaim(scope, `claim-${index}`, {
        metadata: { name: `data-${metadata.name}-${index}`, annotations },
        spec: claimed(spec.size),
      });
    }
    new StatefulSet(scope, 'default', {
      spec: {
        replicas: spec.instances,
        serviceName: metadata.name,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'postgres', image: 'postgres:17' }] } },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimed('1Gi') }],
      },
    });
  },
});

it.each(['made with its custom resource', 'there before'])(
  'storage of a StatefulSet grows that was %s',
  async (when) => {
    const cluster = await startCluster();
    const fast = { apiVersion: StorageClass.apiVersion, kind: StorageClass.kind, metadata: { name: 'fast' } };
    await cluster.apply({ ...fast, provisioner: 'example.com/disks', allowVolumeExpansion: true });
    if (when === 'there before') {
      const spec = postgres
        .desired({ metadata: { name: 'db' }, spec: {} })
        .find(({ kind }) => kind === 'StatefulSet')?.['spec'];
      await cluster.apply({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec });
      await cluster.settled();
    }
    await cluster.run(postgres);
    await cluster.apply({ apiVersion: Postgres.apiVersion, kind: Postgres.kind, metadata: { name: 'db' }, spec: {} });
    await cluster.settled();
    const sizes = async () =>
      (await cluster.list(PersistentVolumeClaim)).map(({ metadata, spec }) => [
        metadata.name,
        spec?.resources?.requests?.['storage'],
      ]);

    await cluster.patch(Postgres, 'db', { spec: { size: '5Gi' } });
    await cluster.settled();
    expect(conditionIn(await cluster.get(Postgres, 'db'))).toMatchObject({ status: 'True' });
    expect(await sizes()).toEqual([
      ['data-db-0', '5Gi'],
      ['data-db-1', '5Gi'],
    ]);

    await cluster.patch(Postgres, 'db', { spec: { instances: 1, size: '6Gi' } });
    await cluster.settled();
    expect(await sizes()).toEqual([
      ['data-db-0', '6Gi'],
      ['data-db-1', '5Gi'],
    ]);
    expect((await cluster.get(StatefulSet, 'db')).status).toMatchObject({ readyReplicas: 1 });
    await cluster.stop();
  },
);
