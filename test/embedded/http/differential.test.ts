// Longer than most files: one table of what is asked of both servers.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { parse } from 'yaml';
import type { Json } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { type Asked, ask, type Question, withServed } from './served.js';

type Row = readonly [method: string, path: string, question?: Question];

const maps = '/api/v1/namespaces/default/configmaps';
const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' } };
const accept = (value: string): Question => ({ headers: { accept: value } });
const patch = (type: string, body: unknown): Question => ({ contentType: `application/${type}`, body });
const applied = (name: string, text: string, key = 'a') =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"${key}":"${text}"}}`;
function inYaml(data: string, before = ''): Row {
  const body = `${before}metadata:\n  name: why\ndata: ${data}\n`;
  return ['POST', `${maps}?dryRun=All`, { body, contentType: 'application/yaml' }];
}
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });

/** What stands in the data of a map. */
const yamlData: readonly string[] = [
  '!!binary aGVsbG8=',
  '!!binary x',
  '!!float 3',
  '!!int "3"',
  '!!int x',
  '!!bool "yes"',
  '!!null x',
  '!!str 3',
  '!foo b',
  '!!timestamp 2020-01-01',
  '!!set {x, y}',
  '1e400',
  '.5e3',
  '1__0',
  '08',
  '0X1F',
  '0b102',
  '.',
  '-.',
  '._5',
  '0x',
  '18446744073709551616',
  'Yes',
  'yEs',
  '2020-01-01T00:00:00Z',
  '12:30:45',
  '=',
  '.inf',
  '-.INF',
  '.NaN',
  '.nAn',
  '*b',
  '&b [*b]',
  '@x',
  '`x',
  '"\x7f"',
  '"\ufffe"',
];
const yamlKeys: readonly string[] = [
  '? [a, 1, {b: c}] : b',
  'null: n',
  '~: {a: [1, x, ~]}',
  '1: x',
  'yes: x',
  '1.50: x',
  '0x10: x',
];

const labelSelectors = [
  'a=b;c',
  'a in (-x,b;c,b;c)',
  'n>-1',
  'n>+1',
  'n<1.5',
  'n>x y',
  'n>99999999999999999999',
  'n<-99999999999999999999',
  '\u00a0a',
  'a\t in\r\n(b)',
  `a=${'x'.repeat(64)}`,
  "a='b'",
];
const tokenAt = (start: string): string => JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start });
const tokens = [
  'null',
  ...['../x', '/../x', 'x/', '/x', '//x', '.', './x', 'x/../y', '/'].map(tokenAt),
  JSON.stringify({ v: 'meta.k8s.io/v1', rv: 0, start: 'x' }),
  JSON.stringify({ v: 'meta.k8s.io/v1', rv: 99_999_999, start: 'x' }),
];

const rows: readonly Row[] = [
  // Paths.
  ['GET', '/foo'],
  ['GET', '//api/v1/configmaps'],
  ['GET', '/version'],
  ['GET', '/healthz'],
  ['GET', '/livez/ping'],
  ['GET', '/readyz/nope'],
  ['GET', '/version', accept('text/html')],
  ['PUT', '/version', { body: {} }],
  ['GET', '/apis/nope'],
  ['GET', '/apis/apps'],
  ['GET', '/apis/apps/'],
  ['GET', '/apis/apps/v9'],
  ['GET', '/apis/authorization.k8s.io/v1'],
  ['GET', '/apis/authentication.k8s.io/v1'],
  ['GET', '/apis/apps', accept('application/yaml')],
  ['GET', '/apis/apps/v9/deployments'],
  ['GET', '/api/v1/nope'],
  ['GET', '/apis/nope.example/v1/things'],
  ['GET', '/api/v2/pods'],
  ['GET', '/apis/apps/v1/deployments/x'],
  ['GET', '/api/v1/namespaces/default/nodes'],
  ['GET', `${maps}/`],
  ['GET', `${maps}//x`],
  ['GET', `${maps}/a%2Fb`],
  ['GET', `${maps}/%E4%B8%AD`],
  ['GET', `${maps}/x/status`],
  ['GET', `${maps}/x/y/z`],
  ['GET', '/api/v1/nodes/x/status'],
  ['GET', '/api/v1/pods/x'],
  ['GET', '/api/v1/namespaces/default/finalize'],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/x/scale'],
  ['GET', '/api/v1/namespaces/default/serviceaccounts/default/token'],
  ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  // Methods.
  ['POST', `${maps}/a1`, { body: {} }],
  ['PUT', maps, { body: {} }],
  ['PATCH', maps, { body: {} }],
  ['OPTIONS', maps],
  ['HEAD', maps],
  ['POST', '/api/v1/configmaps', { body: named('x') }],
  ['DELETE', '/api/v1/namespaces'],
  // Who asks.
  ['GET', maps, { token: undefined }],
  ['GET', '/api', { token: undefined }],
  ['GET', '/apis/apps/v1', { token: undefined }],
  ['GET', maps, { token: 'nobody has this' }],
  ['GET', maps, { token: undefined, headers: { authorization: 'Basic eDp5' } }],
  ['GET', `${maps}/x`, { headers: { 'impersonate-user': 'ada' } }],
  ['GET', `${maps}/x`, { headers: { 'impersonate-user': 'ada', 'impersonate-group': 'system:masters' } }],
  ['POST', maps, { headers: { 'impersonate-user': 'system:serviceaccount:default:sa' }, body: named('x') }],
  // Forms of answers.
  ['GET', '/api/v1/namespaces/default/pods', accept('*/*')],
  ['GET', '/api/v1/namespaces/default/pods', accept('application/*')],
  ['GET', '/api/v1/namespaces/default/pods', accept('text/html, application/json;q=0.1')],
  ['GET', '/api/v1/namespaces/default/pods', accept('application/yaml')],
  ['GET', '/api/v1/namespaces/default/pods', table],
  ['GET', `${maps}/nope`, table],
  [
    'GET',
    '/api/v1/namespaces/default/pods',
    accept('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'),
  ],
  ['GET', '/api/v1/namespaces/default/pods?limit=5&includeObject=Foo', table],
  // Options of lists.
  ['GET', '/api/v1/namespaces/default/pods?watch=0&limit=1'],
  ['GET', '/api/v1/namespaces/default/pods?limit=x'],
  ['GET', '/api/v1/namespaces/default/pods?limit=99999999999999999999'],
  ['GET', '/api/v1/namespaces/default/pods?limit=-1'],
  ['GET', '/api/v1/namespaces/default/pods?timeoutSeconds=x'],
  ['GET', '/api/v1/namespaces/default/pods?fieldSelector=foo%3D1'],
  ['GET', `${maps}?fieldSelector=foo%3D1`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Da%3Db`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Da%5Cb`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Da%5C`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Da%5C%2Cb`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Da%5C%5C%2Cmetadata.namespace%3Ddefault`],
  ['GET', `${maps}?fieldSelector=a%5C%3Db%3Dc`],
  ...labelSelectors.map((selector): Row => ['GET', `${maps}?labelSelector=${encodeURIComponent(selector)}`]),
  ...tokens.map((token): Row => ['GET', `${maps}?continue=${Buffer.from(token).toString('base64url')}`]),
  ['GET', `${maps}?continue=${Buffer.from(tokenAt('a')).toString('base64url')}&resourceVersion=1`],
  ['GET', `${maps}?continue=${Buffer.from(tokenAt('a')).toString('base64url')}&resourceVersion=0`],
  ['GET', `${maps}?resourceVersion=18446744073709551616`],
  ['GET', `${maps}/x?resourceVersion=18446744073709551616`],
  ['GET', `${maps}?watch=1&timeoutSeconds=1&continue=x`],
  ['GET', `${maps}?watch=1&timeoutSeconds=1&continue=x&resourceVersion=0`],
  ['GET', `${maps}?resourceVersionMatch=Exact`],
  ['GET', `${maps}?resourceVersionMatch=Foo&resourceVersion=1`],
  ['GET', `${maps}?sendInitialEvents=true`],
  // Of a version that is still to come, it says in the stream that it has waited in vain.
  [
    'GET',
    `${maps}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999999`,
  ],
  ['GET', `${maps}?watch=1&timeoutSeconds=1&sendInitialEvents=true`],
  ['GET', `${maps}?watch=1`, accept('application/yaml')],
  // Bodies.
  ['POST', maps, { body: '{}', contentType: 'text/foo' }],
  ['POST', maps, { body: 'x', contentType: 'application/vnd.kubernetes.protobuf' }],
  ['POST', maps, { body: '' }],
  ['POST', maps, { body: '{' }],
  ['POST', maps, { body: '[]' }],
  ['POST', maps, { body: '"x"' }],
  ['POST', maps, { body: '3' }],
  ['POST', maps, { body: 'true' }],
  ['POST', maps, { body: 'null' }],
  ['POST', maps, { body: '{}' }],
  ['POST', maps, { body: '{"metadata":{"name":"a1"}} trailing and much more of it' }],
  ['POST', maps, { body: '{"metadata":{"name":"a1"},}' }],
  ['POST', maps, { body: '[{"metadata":{"name":"a long one to be shortened"},}]' }],
  ['POST', maps, { body: named('bad', { data: { a: 1 } }) }],
  ['POST', maps, { body: named('made') }],
  // One name is no page, and is listed as it is now.
  ['GET', `${maps}?resourceVersion=1&limit=2&fieldSelector=metadata.name%3Dmade`],
  ['POST', maps, { body: named('made') }],
  ['POST', maps, { body: '{"metadata":{"name":"twice","name":"warned"},"foo":1}' }],
  ['POST', `${maps}?dryRun=All`, { body: '{"metadata":{"name":"wide"},"größe":1,"宽":2,"😀":3}' }],
  ['POST', `${maps}?fieldValidation=Ignore`, { body: '{"metadata":{"name":"twice","name":"ignored"},"foo":1}' }],
  ['POST', `${maps}?fieldValidation=Strict`, { body: '{"metadata":{"name":"twice","name":"strict"},"foo":1}' }],
  ['POST', `${maps}?fieldValidation=Strict`, { body: '{"metadata":{"name":"s"},"foo":{"x":1,"x":2}}' }],
  ['POST', maps, { body: '{"metadata":{"name":"surrogate","annotations":{"a":"\\ud800b"}},"__proto__":{"a":1}}' }],
  ['POST', maps, { body: 'metadata:\n  name: yaml\ndata:\n  a: "1"\n', contentType: 'application/yaml' }],
  ['POST', maps, { body: '{"metadata":{"name":"latin"}}', contentType: 'application/json;charset=latin1' }],
  [
    'POST',
    `${maps}?fieldValidation=Strict`,
    { body: 'metadata:\n  name: a5\n  name: a6\nfoo: 1\n', contentType: 'application/yaml' },
  ],
  ...yamlData.map((value) => inYaml(`{a: ${value}}`)),
  ...yamlKeys.map((entry) => inYaml(`{${entry}}`)),
  inYaml('{}', '%YAML 1.2\n---\n'),
  inYaml('{}', '%YAML 1.1\n---\n'),
  inYaml('{}', '\ufeff'),
  inYaml('{}', '# \ufeff\n'),
  inYaml('\n\ta: b'),
  ['PATCH', `${maps}/controls?fieldManager=x`, patch('apply-patch+yaml', applied('controls', 'a\x7fb'))],
  ['PATCH', `${maps}/controls?fieldManager=x`, patch('apply-patch+yaml', applied('controls', 'a\ufeffb'))],
  ['PATCH', `${maps}/controls?fieldManager=x`, patch('apply-patch+yaml', applied('controls', 'a\u2028b'))],
  ['POST', `${maps}?dryRun=foo`, { body: named('x') }],
  ['POST', `${maps}?dryRun=All`, { body: named('dry') }],
  ['POST', `${maps}?fieldValidation=foo`, { body: named('x') }],
  ['POST', `${maps}?fieldManager=%01`, { body: named('x') }],
  ['POST', `${maps}?fieldManager=${'x'.repeat(129)}`, { body: named('x') }],
  ['PUT', `${maps}/made`, { body: '{"metadata":{"name":"made"},"data":{"a":"b","a":"c"}}' }],
  ['PUT', `${maps}/made?dryRun=foo`, { body: named('made') }],
  ['PUT', `${maps}/made`, { body: 'null' }],
  ['PUT', `${maps}/made`, { body: named('other') }],
  // Patches.
  ['PATCH', `${maps}/made`, patch('json', {})],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', '{')],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', '[]')],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', 'null')],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', '3')],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', '')],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', { data: { b: 'c' } })],
  ['PATCH', `${maps}/made?force=true`, patch('merge-patch+json', {})],
  ['PATCH', `${maps}/made?dryRun=`, patch('merge-patch+json', {})],
  ['PATCH', `${maps}/made?fieldValidation=Warn`, patch('merge-patch+json', '{"data":{"x":"y","x":"z"},"foo":1}')],
  ['PATCH', `${maps}/made`, patch('merge-patch+json', '{"data":{"x":1e400}}')],
  ['PATCH', `${maps}/made`, patch('strategic-merge-patch+json', '{"data":{"x":1e400}}')],
  ['PATCH', `${maps}/made`, patch('json-patch+json', '[{"op":"add","path":"/data/x","value":1e400}]')],
  ['PATCH', `${maps}/large?fieldManager=x`, patch('apply-patch+yaml', applied('large', '').replace('""', '1e400'))],
  ['PATCH', `${maps}/made`, patch('json-patch+json', '{}')],
  ['PATCH', `${maps}/made`, patch('json-patch+json', '["x"]')],
  ['PATCH', `${maps}/made`, patch('json-patch+json', '[{"op":1}]')],
  ['PATCH', `${maps}/made`, patch('json-patch+json', '[{"op":"add","op":"add","path":"/data/q","value":"1","zoo":1}]')],
  ['PATCH', `${maps}/made`, patch('strategic-merge-patch+json', '[]')],
  ['PATCH', `${maps}/made`, patch('strategic-merge-patch+json', '{')],
  ['PATCH', `${maps}/made`, patch('strategic-merge-patch+json', '{"data":{"x":"y","x":"z2"}}')],
  ['PATCH', `${maps}/made?fieldManager=x`, patch('apply-patch+yaml', '[]')],
  ['PATCH', `${maps}/made?fieldManager=x`, patch('apply-patch+yaml', '"x"')],
  ['PATCH', `${maps}/made?fieldManager=x`, patch('apply-patch+yaml', '')],
  ['PATCH', `${maps}/made`, patch('apply-patch+yaml', '{}')],
  [
    'PATCH',
    `${maps}/ssa?fieldManager=x`,
    patch('apply-patch+yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, name: ssa}'),
  ],
  [
    'PATCH',
    `${maps}/ssa?fieldManager=x&fieldValidation=Strict`,
    patch(
      'apply-patch+yaml',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"ssa","name":"ssa"},\n"data":{"x":"y","x":"z"}}',
    ),
  ],
  ['PATCH', `${maps}/half?fieldManager=x`, patch('apply-patch+yaml', applied('half', '\\ud83d'))],
  ['PATCH', `${maps}/half?fieldManager=x`, patch('apply-patch+yaml', applied('half', '\\ud83d\\ude00'))],
  ['PATCH', `${maps}/half?fieldManager=x`, patch('apply-patch+yaml', applied('half', '\\\\ud83d'))],
  ['PATCH', `${maps}/long?fieldManager=x`, patch('apply-patch+yaml', applied('long', 'x', 'k'.repeat(1000)))],
  ['PATCH', `${maps}/long?fieldManager=x`, patch('apply-patch+yaml', applied('long', 'x', 'k'.repeat(1100)))],
  // Deletions.
  ['DELETE', `${maps}/made`, { body: '{"foo":1' }],
  ['DELETE', `${maps}/made`, { body: 'x', contentType: 'text/x' }],
  ['DELETE', `${maps}/made`, { body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'x' } }],
  ['DELETE', `${maps}/made?propagationPolicy=x`],
  ['DELETE', `${maps}/made?gracePeriodSeconds=x`],
  ['DELETE', `${maps}/made?dryRun=x`],
  ['DELETE', `${maps}/made`, { body: { gracePeriodSeconds: 'x' } }],
  ['DELETE', `${maps}/made`, { body: { preconditions: { uid: 3 } } }],
  ['DELETE', `${maps}/made`, { body: { preconditions: [] } }],
  ['DELETE', `${maps}/made`, { body: { gracePeriodSeconds: 1.5 } }],
  ['DELETE', `${maps}/made`, { body: { ignoreStoreReadErrorWithClusterBreakingPotential: 1 } }],
  ['DELETE', `${maps}/made`, { body: { dryRun: [null] } }],
  ['DELETE', `${maps}/made`, { body: '[]' }],
  ['DELETE', `${maps}/made?uid=x`],
  ['DELETE', `${maps}/made?resourceVersion=1`],
  ['DELETE', `${maps}?resourceVersion=1`],
  ['DELETE', `${maps}?labelSelector=%3D&propagationPolicy=x`],
  ['DELETE', `${maps}?sendInitialEvents=true`, { body: { gracePeriodSeconds: 'x' } }],
  ['DELETE', `${maps}/made?dryRun=All&propagationPolicy=Orphan&orphanDependents=true`],
  ['DELETE', `${maps}/made?dryRun=All&orphanDependents=true`],
  ['DELETE', `${maps}/made`, { body: 'gracePeriodSeconds: 0\ndryRun: [All]\n', contentType: 'application/yaml' }],
  ['DELETE', `${maps}/made`],
  ['DELETE', `${maps}/made`],
  ['DELETE', `${maps}?labelSelector=a%3Db`],
  // Questions.
  [
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    { body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } } },
  ],
  [
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    { ...table, body: { spec: { resourceAttributes: { verb: 'get' } } } },
  ],
  ['POST', '/api/v1/namespaces/default/serviceaccounts/nobody/token', { body: { spec: {} } }],
];

onRealCluster('over HTTP', {}, (plane) => {
  const served = withServed();
  let agent: Agent;
  beforeAll(() => {
    agent = new Agent({ connect: { ca: plane().ca } });
  });
  afterAll(() => agent.close());
  const askReal = ([method, path, question = {}]: Row) =>
    ask(agent, plane().url, plane().adminToken, method, path, question);

  describe.each(rows.map((row, index) => [index, row[0], row[1], row] as const))('%i. %s %s', (_, __, ___, row) => {
    it(`${JSON.stringify(row[2]?.body ?? row[2]?.headers ?? '').slice(0, 100)} is answered as by the real server`, async () => {
      const real = shown(await askReal(row));
      const ours = shown(await served().ask(...row));
      expect(ours).toEqual(real);
      expect(served().faults).toEqual([]);
    });
  });
});

/** What has to be the same of an answer. */
function shown({ code, headers, text, body }: Asked): object {
  const { 'content-type': contentType, warning, 'cache-control': cacheControl } = headers;
  const isJson = Object.keys(body).length > 0;
  return {
    code,
    contentType,
    cacheControl,
    warning,
    body: isJson ? same(body, 'body') : contentType === 'application/yaml' ? same(parse(text) as Json) : text,
  };
}

const changing = ['uid', 'resourceVersion', 'creationTimestamp', 'time', 'continue'];

/** Without what differs from one run to the next, and what only one of the two can say. */
function same(value: Json, key = ''): Json {
  if (changing.includes(key)) return `<${key}>`;
  if (key === 'message' && typeof value === 'string') {
    return value
      .replace(/ in scheme "[^"]*"/, ' in scheme')
      .replace(/ in record \([^)]*\)/, ' in record')
      .replace(/, current: \d+/, ', current')
      .replaceAll(/, application\/(vnd.kubernetes.protobuf|json;stream=watch)(;stream=watch)?/g, '');
  }
  if (key === 'description' || key === 'serverAddress' || key.startsWith('go') || key.startsWith('git')) return '';
  if (['compiler', 'platform', 'buildDate', 'goVersion'].includes(key)) return '';
  if (Array.isArray(value)) return value.map((item) => same(item as Json));
  if (typeof value !== 'object' || value === null) return value;
  // The real server notes in a question who owns its fields, though it forgets it with the answer.
  if (key === 'body' && String((value as { kind?: Json }).kind).endsWith('Review'))
    return same({ ...value, metadata: {} });
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, same(child, name)]));
}
