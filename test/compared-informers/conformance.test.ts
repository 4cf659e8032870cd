import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { cases } from './cases.js';
import { kilterInformer } from './kilter-informer.js';
import { playCase } from './play-case.js';

onEveryCluster('the informer, over sockets,', {}, (plane) => {
  let admin: HttpCluster;
  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => admin?.close());

  it.each(cases.map((each, index) => ({ ...each, index })))(
    'loses nothing and does not go back: $id: $title',
    async (each) => {
      const { url, ca, adminToken: token } = plane();
      const { waitedMilliseconds = Number.POSITIVE_INFINITY, ...played } = await playCase(each, {
        ground: { url, ca, token, admin, plane: plane() },
        namespace: `case-${each.index}`,
        underTest: kilterInformer,
        scale: { failures: 20 },
        mayHurry: true,
        seconds: 25,
      });
      expect(played).toEqual({ recoveredAfterMilliseconds: expect.any(Number), wrongs: [] });
      expect(waitedMilliseconds).toBeLessThanOrEqual((each.waits ?? 2) * 1000);
    },
  );
});
