import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Namespace } from '../../../imports/k8s.js';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { SmallWorld } from './small-world.js';
import { stateOf, type Words } from './state-of.js';
import { Hands, type Step, stories } from './stories.js';

onRealCluster('beside the real kube-controller-manager', { controllerManager: true }, (plane) => {
  let real: HttpCluster;
  beforeAll(async () => {
    real = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => real?.close());

  it.each(Object.keys(stories))(
    'each step comes to the same end: %s',
    async (title) => {
      // Nobody schedules or runs Pods there, and no provisioner makes volumes.
      const world = new SmallWorld({
        nodes: [],
        pods: false,
        scheduler: false,
        volumeClaims: false,
        rootCertificate: '-----BEGIN CERTIFICATE-----',
      });
      const namespace = `story-${Object.keys(stories).indexOf(title)}`;
      const both = [new Hands(world.cluster, namespace), new Hands(real, namespace)];
      for (const { cluster } of both) {
        const { apiVersion, kind } = Namespace;
        await cluster.create(Namespace, { apiVersion, kind, metadata: { name: namespace } }, { fieldManager: 'story' });
      }
      const words: readonly Words[] = [new Map(), new Map()];
      const compare = async (step: number, options: Pick<Step, 'isProgressByChance'> = {}) => {
        await world.settle();
        const expected = await stateOf(world.cluster, namespace, words[0]!, options);
        // The garbage collector waits longer each time for what its own watches have not shown yet.
        await eventually(
          async () =>
            expect({ step, ...(await stateOf(real, namespace, words[1]!, options)) }).toEqual({ step, ...expected }),
          60,
        );
      };
      await compare(0);
      for (const [index, step] of stories[title]!.entries()) {
        for (const hands of both) await step(hands);
        await compare(index + 1, step);
      }
    },
    240_000,
  );
});
