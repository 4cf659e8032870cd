import { describe, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Foo, foo } from '../../src/operators/foo.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { LifeStage } from './life-stage.js';

const fooNamed = (name: string, spec: object) => ({
  apiVersion: Foo.apiVersion,
  kind: Foo.kind,
  metadata: { name },
  spec,
});

const deploymentNamed = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'theirs', image: 'theirs' }] } },
  },
});

onEveryCluster('the life of a Foo', { controllerManager: true, audit: true }, (plane) => {
  const stage = new LifeStage(plane, [foo]);

  it('begins with the Deployment that it names', async () => {
    await stage.apply(fooNamed('example', { deploymentName: 'web' }));
    await stage.ready(Foo, 'example', { availableReplicas: 1 });
    expect((await stage.get(Deployment, 'web')).spec?.replicas).toBe(1);
    expect((await plane().kubectl(['get', 'foos'])).stdout.split('\n')[0]?.trim().split(/\s+/)).toEqual([
      'NAME',
      'DEPLOYMENT',
      'AVAILABLE',
      'READY',
      'STATUS',
      'AGE',
    ]);
  });

  it('follows a change of its replicas', async () => {
    await stage.patch(Foo, 'example', { spec: { replicas: 3 } });
    await stage.ready(Foo, 'example', { availableReplicas: 3, observedGeneration: 2 });
    expect((await stage.get(Deployment, 'web')).spec?.replicas).toBe(3);
  });

  it('follows a change of the name, and takes away the Deployment of the old one', async () => {
    await stage.patch(Foo, 'example', { spec: { deploymentName: 'shop' } });
    await eventually(async () => expect(await stage.names(Deployment)).toEqual(['shop']));
    await stage.ready(Foo, 'example');
  });

  it.each([
    ['the number of pods', { spec: { replicas: 9 } }],
    ['a label', { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } }],
    ['the owner', { metadata: { ownerReferences: null } }],
  ])('puts back %s of its Deployment', async (_, changed) => {
    await stage.putsBack(Deployment, 'shop', changed);
  });

  it('makes a deleted Deployment again', async () => {
    await stage.makesAgain(Deployment, 'shop');
    await stage.ready(Foo, 'example');
  });

  it.each([
    ['too many replicas', { deploymentName: 'a', replicas: 11 }, 'spec.replicas: Invalid value: 11'],
    ['no replicas', { deploymentName: 'a', replicas: 0 }, 'spec.replicas: Invalid value: 0'],
    ['no name', { replicas: 1 }, 'spec.deploymentName: Required value'],
    ['an impossible name', { deploymentName: 'A/b' }, 'spec.deploymentName: Invalid value: "A/b"'],
    ['a key with a wrong capital', { deploymentname: 'a', deploymentName: 'a' }, 'unknown field "spec.deploymentname"'],
  ])('is refused with %s', async (_, spec, words) => {
    await stage.refuses(Foo, spec, words);
  });

  describe('that names a Deployment of somebody else', () => {
    it('leaves it alone, keeps its old one, and says whose it is', async () => {
      await stage.apply(deploymentNamed('theirs'));
      const before = await stage.get(Deployment, 'theirs');
      await stage.patch(Foo, 'example', { spec: { deploymentName: 'theirs' } });

      await eventually(async () =>
        expect(await stage.condition(Foo, 'example')).toMatchObject({
          status: 'False',
          reason: 'ApplyConflict',
          message: expect.stringMatching(
            /^Deployment\/default\/theirs is not ours: it exists, and belongs to nobody \(written by kubectl-client-side-apply\)/,
          ),
          observedGeneration: (await stage.get(Foo, 'example')).metadata.generation,
        }),
      );
      expect((await stage.get(Deployment, 'theirs')).metadata.generation).toBe(before.metadata.generation);
      expect((await stage.get(Deployment, 'theirs')).metadata.ownerReferences).toBeUndefined();
      expect(await stage.names(Deployment)).toEqual(['shop', 'theirs']);
      expect(await stage.status(Foo, 'example')).toMatchObject({ availableReplicas: 0 });
    });

    it('has the name as soon as that one is gone', async () => {
      await stage.admin.delete(Deployment, { namespace: 'default', name: 'theirs' });
      await stage.ready(Foo, 'example');
      expect((await stage.get(Deployment, 'theirs')).metadata.ownerReferences?.[0]?.name).toBe('example');
      await eventually(async () => expect(await stage.names(Deployment)).toEqual(['theirs']));
    });

    it('does so for that of another Foo', async () => {
      await stage.apply(fooNamed('second', { deploymentName: 'theirs' }));
      await eventually(async () =>
        expect((await stage.condition(Foo, 'second'))?.message).toContain('belongs to Foo/example'),
      );
      expect((await stage.get(Deployment, 'theirs')).metadata.ownerReferences?.[0]?.name).toBe('example');
      await plane().kubectl(['delete', 'foo', 'second']);
      expect(await stage.names(Deployment)).toEqual(['theirs']);
    });
  });

  it('that is made anew says of what is left of the one before that it is being deleted, and who holds it', async () => {
    await stage.apply(fooNamed('again', { deploymentName: 'held' }));
    await stage.ready(Foo, 'again');
    const { uid } = (await stage.get(Foo, 'again')).metadata;
    await stage.patch(Deployment, 'held', { metadata: { finalizers: ['example.com/holds'] } });
    await plane().kubectl(['delete', 'foo', 'again']);
    await stage.apply(fooNamed('again', { deploymentName: 'held' }));

    const words = `belongs to another Foo/again, with the uid ${uid}; it is being deleted, held by example.com/holds`;
    // Kubernetes' garbage collector hears of a new kind every thirty seconds.
    await eventually(
      async () =>
        expect(await stage.condition(Foo, 'again')).toMatchObject({
          reason: 'ApplyConflict',
          message: `Deployment/default/held is not ours: it exists, and ${words}`,
        }),
      60,
    );
    await stage.patch(Deployment, 'held', { metadata: { finalizers: null } });
    await stage.ready(Foo, 'again');
    await plane().kubectl(['delete', 'foo', 'again']);
    await eventually(async () => expect(await stage.names(Deployment)).toEqual(['theirs']));
  });

  it('is not written to when its controller restarts and nothing has drifted', async () => {
    await stage.ready(Foo, 'example');
    expect(await stage.writesOfRestart()).toEqual([]);
  });

  it('puts back what was changed while no controller ran', async () => {
    await stage.stop();
    await stage.patch(Deployment, 'theirs', { spec: { replicas: 7 } });
    await stage.start();
    await eventually(async () => expect((await stage.get(Deployment, 'theirs')).spec?.replicas).toBe(3));
  });

  it('ends together with its Deployment', async () => {
    await plane().kubectl(['delete', 'foo', 'example', '--wait=false']);
    await eventually(async () => expect(await stage.names(Deployment)).toEqual([]), 60);
    expect(await stage.names(Foo)).toEqual([]);
  });
});
