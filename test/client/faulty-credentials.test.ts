import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { UnauthorizedError } from '../../src/client/api-error.js';
import type { ClusterConfig } from '../../src/client/cluster-config.js';
import { connect } from '../../src/client/http-cluster.js';
import { object, scriptedCluster } from './scripted-cluster.js';
import { json, status } from './scripted-server.js';

const target = { namespace: 'default', name: 'a' };

const scripted = scriptedCluster();

describe('credentials', () => {
  it('that never come keep no call beyond its deadline', async () => {
    const never = () => new Promise<undefined>(() => {});
    const stuck = connect({ ...scripted.server.config, authorization: never });
    await expect(stuck.get(ConfigMap, target, { timeoutSeconds: 0.05 })).rejects.toThrow('no answer within 0.05 s');
    const stop = new AbortController();
    const watching = stuck.watch(ConfigMap, { resourceVersion: '1', signal: stop.signal }).next();
    stop.abort(new Error('never mind'));
    await expect(watching).rejects.toThrow('never mind');
    await stuck.close();
  });

  it('that come after the client was closed are of no use to anybody', async () => {
    let give = (_: undefined) => {};
    const authorization = () => new Promise<undefined>((resolve) => (give = resolve));
    const slow = connect({ ...scripted.server.config, authorization });
    const asking = slow.get(ConfigMap, target);
    await slow.close();
    give(undefined);
    await expect(asking).rejects.toThrow('the client is closed');
    expect(scripted.server.requests).toEqual([]);
  });

  it('that were refused are read again, once', async () => {
    const authorization: ClusterConfig['authorization'] = async ({ refused } = {}) =>
      refused?.authorization === 'Bearer old' ? 'Bearer new' : 'Bearer old';
    const rotated = connect({ ...scripted.server.config, authorization });
    scripted.server.answers(status(401), json(object('a')), status(401), status(401));
    expect(await rotated.get(ConfigMap, target)).toEqual(object('a'));
    await expect(rotated.get(ConfigMap, target)).rejects.toThrow(UnauthorizedError);
    expect(scripted.server.requests.map(({ authorization }) => authorization)).toEqual([
      'Bearer old',
      'Bearer new',
      'Bearer old',
      'Bearer new',
    ]);
    await rotated.close();
  });

  it('of a server that is not there are an error that says so', async () => {
    const nowhere = connect({ ...scripted.server.config, server: 'http://127.0.0.1:1' });
    await expect(nowhere.get(ConfigMap, target, { timeoutSeconds: 20 })).rejects.toThrow(
      /^ConfigMap\/default\/a get failed: /,
    );
    await nowhere.close();
  });
});
