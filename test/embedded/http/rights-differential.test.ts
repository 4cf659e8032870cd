import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { type Asked, ask, type Question, withServed } from './served.js';

type Row = readonly [method: string, path: string, question?: Question];

const rbac = 'rbac.authorization.k8s.io';
const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const rule = (apiGroup: string, resource: string, verbs: readonly string[], ...resourceNames: readonly string[]) => ({
  verbs,
  apiGroups: [apiGroup],
  resources: [resource],
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
});

/** What somebody may do in the namespace `default`. */
const rules = [
  rule('', 'configmaps', ['get', 'list', 'watch', 'patch', 'deletecollection'], 'mine'),
  rule('', 'namespaces', ['get', 'list', 'update', 'delete']),
  rule('', 'namespaces/status', ['get']),
  rule('', 'pods/log', ['get']),
  rule('apps', 'deployments/scale', ['get', 'patch']),
  rule('', 'services', ['*']),
  rule('nothing.example.com', 'things', ['*']),
];
const ready = `${maps}/mine`;
const set: readonly Row[] = [
  ['POST', maps, { body: { metadata: { name: 'mine', labels: { a: 'b' } } } }],
  ['POST', `/apis/${rbac}/v1/namespaces/default/roles`, { body: { metadata: { name: 'some' }, rules } }],
  [
    'POST',
    `/apis/${rbac}/v1/namespaces/default/rolebindings`,
    {
      body: {
        metadata: { name: 'some' },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'some' },
        subjects: [{ apiGroup: rbac, kind: 'User', name: 'somebody' }],
      },
    },
  ],
];

const mine = 'fieldSelector=metadata.name%3Dmine';
const json = { body: {} };
const rows: readonly Row[] = [
  // By one name, in a path or in a selector.
  ['GET', `${maps}/mine`],
  ['GET', `${maps}/other`],
  ['GET', maps],
  ['GET', `${maps}?${mine}`],
  ['GET', `${maps}?fieldSelector=metadata.name%3D%3Dmine`],
  ['GET', `${maps}?fieldSelector=metadata.namespace%3Ddefault,metadata.name%3Dmine`],
  ['GET', `${maps}?fieldSelector=metadata.name!%3Dmine`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dother`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dmine,metadata.name%3Dother`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dmine,nothing%3D1`],
  ['GET', `${maps}?fieldSelector=metadata.name%3D..`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Da%252Fb`],
  ['GET', `${maps}?fieldSelector=mine`],
  ['GET', `${maps}?${mine}&labelSelector=a%3Db`],
  ['GET', `${maps}?${mine}&labelSelector=a%3D%3D%3D`],
  ['GET', `${maps}?${mine}&limit=many`],
  ['GET', `${maps}?${mine}&limit=-1`],
  ['GET', `${maps}?${mine}&resourceVersion=x`],
  ['GET', `${maps}?${mine}&timeoutSeconds=x`],
  ['GET', `${maps}?${mine}&watch=maybe&timeoutSeconds=1`],
  ['GET', `${maps}?${mine}&watch=false`],
  ['GET', `${maps}?watch=1`],
  ['GET', `${maps}?watch=1&limit=many`],
  ['GET', `/api/v1/configmaps?${mine}`],
  ['GET', `/api/v1/watch/namespaces/default/configmaps/other`],
  ['GET', `/api/v1/watch/namespaces/default/secrets`],
  ['DELETE', `${maps}?${mine}&dryRun=All`],
  ['DELETE', maps],
  ['PATCH', `${maps}/mine?dryRun=All`, { body: {}, contentType: 'application/merge-patch+json' }],
  ['PATCH', `${maps}/other`, { body: {}, contentType: 'application/merge-patch+json' }],
  ['HEAD', `${maps}/mine`],
  ['HEAD', `${maps}/other`],
  ['HEAD', maps],
  // Of a namespace whoever has rights in it may ask.
  ['GET', '/api/v1/namespaces/default'],
  ['GET', '/api/v1/namespaces/default/status'],
  ['GET', '/api/v1/namespaces/kube-system'],
  ['GET', '/api/v1/namespaces'],
  ['GET', '/api/v1/namespaces?fieldSelector=metadata.name%3Ddefault'],
  ['PUT', '/api/v1/namespaces/default/finalize', json],
  ['PATCH', '/api/v1/namespaces/default', { body: {}, contentType: 'application/merge-patch+json' }],
  // Of parts of an object.
  ['GET', '/api/v1/namespaces/default/pods/none'],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/none'],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/none/scale'],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/none/status'],
  ['PUT', '/apis/apps/v1/namespaces/default/deployments/none/scale', json],
  // Before anything else is looked at.
  ['GET', `${secrets}/x?export=1`],
  ['GET', `${secrets}?resourceVersion=x`],
  ['GET', secrets, { headers: { accept: 'image/png' } }],
  ['GET', `${maps}?${mine}`, { headers: { accept: 'image/png' } }],
  ['GET', `${secrets}?watch=1`, { headers: { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io' } }],
  ['POST', secrets, { body: 'nothing that is JSON' }],
  ['POST', `${secrets}?dryRun=Some`, json],
  ['POST', `${secrets}?fieldValidation=Some`, json],
  ['POST', `${secrets}/x`, json],
  ['POST', `/api/v1/secrets`, json],
  ['PUT', secrets, json],
  ['PUT', `${secrets}/x`, { body: 'text', contentType: 'text/plain' }],
  ['PATCH', secrets, json],
  ['PATCH', `${secrets}/x`, { body: {}, contentType: 'text/plain' }],
  ['DELETE', `${secrets}/x`, { body: { kind: 'DeleteOptions', propagationPolicy: 'Some' } }],
  ['POST', '/api/v1/namespaces/default/services/x', json],
  ['PUT', '/api/v1/namespaces/default/services', json],
  // Of what there is not.
  ['GET', '/api/v1/namespaces/default/nothings'],
  ['GET', '/api/v1/namespaces/default/secrets/x/nothing'],
  ['GET', '/apis/nothing.example.com/v1/namespaces/default/things'],
  ['GET', '/apis/nothing.example.com/v1/namespaces/other/things'],
  ['GET', '/apis/nothing.example.com/v1/things/x'],
  ['GET', '/apis/apps/v9/deployments'],
  ['POST', '/apis/nothing.example.com/v1/namespaces/other/things', json],
  // Who is refused is not told that a kind is out of date.
  ['GET', '/api/v1/namespaces/default/endpoints'],
  // Of questions.
  ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x', json],
  ['POST', '/apis/authorization.k8s.io/v1/namespaces/default/selfsubjectaccessreviews', json],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', json],
  ['POST', '/api/v1/namespaces/default/serviceaccounts/default/token', json],
];

onRealCluster('who may do what', {}, (plane) => {
  const served = withServed();
  let agent: Agent;
  const real = ([method, path, question = {}]: Row) =>
    ask(agent, plane().url, plane().adminToken, method, path, question);
  const ours = (row: Row) => served().ask(...row);

  beforeAll(async () => {
    agent = new Agent({ connect: { ca: plane().ca } });
    for (const each of [real, ours]) {
      for (const row of set) expect(await each(row)).toMatchObject({ code: 201 });
      // The real server hears of a binding a moment later.
      await eventually(async () => expect(await each(bySomebody(['GET', ready]))).toMatchObject({ code: 200 }));
    }
  });
  afterAll(() => agent?.close());

  describe.each(rows.map((row, index) => [index, row[0], row[1], row] as const))('%i. %s %s', (_, __, ___, row) => {
    it('is answered to somebody as by the real server', async () => {
      expect(shown(await ours(bySomebody(row)))).toEqual(shown(await real(bySomebody(row))));
      expect(served().faults).toEqual([]);
    });
  });
});

function bySomebody([method, path, question]: Row): Row {
  return [method, path, { ...question, headers: { ...question?.headers, 'impersonate-user': 'somebody' } }];
}

/** A refusal as it is, and of anything else that it was none. */
function shown({ code, headers: { warning, 'content-type': contentType }, body, text }: Asked): object {
  return code === 403 ? { code, warning, contentType, body: text === '' ? '' : body } : { code };
}
