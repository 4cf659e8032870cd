import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import type { Trace, TracedTry } from '../../src/client/trace.js';
import { object, scriptedCluster } from './scripted-cluster.js';
import { hangUp, json, status, tooMany } from './scripted-server.js';

const target = { namespace: 'default', name: 'a' };
const path = '/api/v1/namespaces/default/configmaps/a';
const scripted = scriptedCluster();

describe('a call that somebody follows', () => {
  const follow = async (body: (cluster: ReturnType<typeof connect>) => Promise<unknown>) => {
    const tries: (TracedTry & { code?: number | undefined })[] = [];
    const trace: Trace = (call) => {
      const each: TracedTry & { code?: number | undefined } = { ...call };
      tries.push(each);
      const ended = (code: number | undefined) => {
        each.code = code;
      };
      return { headers: { traceparent: `try-${call.tries}` }, ended };
    };
    const cluster = connect(scripted.server.config, { trace });
    await body(cluster).finally(() => cluster.close());
    return tries;
  };
  const asked = { subject: 'ConfigMap/default/a', verb: 'get', isBuiltIn: true };

  it('is told try by try, and tells the server which one it is', async () => {
    scripted.server.answers(hangUp, tooMany, json(object('a')));
    const tries = await follow((cluster) => cluster.get(ConfigMap, target));
    expect(tries).toEqual([
      { method: 'GET', path, asked, tries: 1, code: undefined },
      { method: 'GET', path, asked, tries: 2, code: 429 },
      { method: 'GET', path, asked, tries: 3, code: 200 },
    ]);
    expect(scripted.server.requests.map(({ headers }) => headers['traceparent'])).toEqual([
      ['try-1'],
      ['try-2'],
      ['try-3'],
    ]);
  });

  it('ends for whoever follows it also when it is refused', async () => {
    scripted.server.answers(status(404, { reason: 'NotFound', message: 'it is not there' }));
    const tries = await follow((cluster) => cluster.get(ConfigMap, target).catch(() => {}));
    expect(tries.map(({ code }) => code)).toEqual([404]);
  });

  it('sends nothing more when nobody follows it', async () => {
    scripted.server.answers(json(object('a')));
    const cluster = connect(scripted.server.config, { trace: () => undefined });
    await cluster.get(ConfigMap, target).finally(() => cluster.close());
    expect(scripted.server.requests[0]?.headers).not.toHaveProperty('traceparent');
  });
});
