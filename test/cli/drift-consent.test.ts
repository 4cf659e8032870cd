import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { type LookOptions, lookForDrift } from '../../src/cli/drift/look-for-drift.js';
import { systemClock } from '../../src/kube/clock.js';
import { ConfigMapSync, configMapSync } from '../../src/operators/config-map-sync.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

onEveryCluster('kilter drift of what reaches into other namespaces', {}, (plane) => {
  const stage = new Stage(plane, [ConfigMapSync.crd()]);
  const look = (options: Partial<LookOptions> = {}) =>
    lookForDrift({ cluster: stage.admin, operators: [configMapSync], clock: systemClock, ...options });

  it('asks namespaces for their consent, as the controller does', async () => {
    await stage.namespace('team');
    await stage.namespace('shop');
    await stage.create(ConfigMap, { metadata: { namespace: 'team', name: 'settings' }, data: { a: '1' } });
    const spec = { sourceNamespace: 'team', destinationNamespace: 'shop', configMapName: 'settings' };
    await stage.wish(ConfigMapSync, { namespace: 'team', name: 'sync' }, spec);
    const missing = [{ child: 'ConfigMap/shop/settings', desired: 'there' }];
    expect(await look()).toMatchObject({
      rows: [],
      problems: [
        'ConfigMapSync/team/sync: ConfigMap/shop/settings is not written: Namespace/shop does not accept it; annotate Namespace/shop with kilter.dev/accept-from: team',
      ],
    });
    expect((await look({ assumeConsent: true })).rows).toMatchObject(missing);
    await stage.namespace('shop', { 'kilter.dev/accept-from': 'team' });
    expect(await look()).toMatchObject({ rows: missing, problems: [] });

    // What is not shared is as if it were not there: nothing is composed, and nothing missing.
    await stage.namespace('other', { 'kilter.dev/accept-from': 'shop' });
    const theirs = { ...spec, destinationNamespace: 'other' };
    await stage.wish(ConfigMapSync, { namespace: 'shop', name: 'sync' }, theirs);
    const { rows } = await look();
    expect(rows.map(({ customResource }) => customResource)).toEqual(['ConfigMapSync/team/sync']);
  });
});
