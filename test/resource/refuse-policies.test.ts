import { describe, expect, it } from '@jest/globals';
import type { ApiError } from '../../src/client/api-error.js';
import { connect } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { customResource, s } from '../../src/index.js';
import { DefinitionError } from '../../src/kube/errors.js';
import { policyExpression } from '../../src/schema/cel/policy-expression.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';

const define = (expression: string, message = 'no') =>
  customResource({
    group: 'x.example.com',
    version: 'v1',
    kind: 'Guarded',
    spec: s.object({ size: s.int32() }),
    policies: [
      { expression: 'true', message: 'fine' },
      { expression, message },
    ],
  });

describe('a kind whose policies an API server would not take', () => {
  it.each([
    ['of another name', 'objekt.spec.size == 1', /"objekt.spec.size == 1" compilation failed: .*undeclared reference/],
    ['cut short', 'object.spec.size ==', /Syntax error: mismatched input '<EOF>'/],
    ['of another type', 'object.spec.size', /cel expression must evaluate to a bool/],
    ['about what a request has not', "request.user == 'a'", /undefined field 'user'/],
    ['that is empty', ' ', /expression: it is not specified/],
  ])('is not defined by an expression %s', (_, expression, words) => {
    expect(() => define(expression)).toThrow(DefinitionError);
    expect(() => define(expression)).toThrow(/^Guarded cannot be defined: policies\[1\]\.expression: /);
    expect(() => define(expression)).toThrow(words);
  });

  it.each([
    ['object.spec.sise > 0', 'object.spec.sise', 'write one of size'],
    ['has(object.spec.sise)', 'object.spec.sise', 'write one of size'],
    ["object.spec['sise'] > 0", 'object.spec.sise', 'write one of size'],
    ['object.spec.?sise.orValue(1) > 0', 'object.spec.sise', 'write one of size'],
    ['oldObject == null || oldObject.spec.Size > 0', 'oldObject.spec.Size', 'write one of size'],
    ['object.specs.size > 0', 'object.specs', expect.stringContaining('spec')],
    ["object.metadata.label['a'] == 'b'", 'object.metadata.label', expect.stringContaining('labels')],
  ])('is not defined by an expression about a field that it does not have: %s', (expression, path, hint) => {
    const words = `Guarded cannot be defined: policies[1].expression: "${expression}" asks for ${path}, which its schema does not have`;
    expect(() => define(expression)).toThrow(expect.objectContaining({ message: words, hint }));
  });

  it.each([
    "object.spec.size > 0 && object.kind == 'Guarded' && object.apiVersion != ''",
    "has(object.metadata.labels) && object.metadata.labels['a'] == 'b' && object.metadata.annotations.all(key, key != 'c')",
    "object.status.conditions.exists(c, c.type == 'Ready')",
    "object.spec.settings.any == 'a' && object.spec.anything.at.all == 1 && object.spec.embedded.spec.all == 1",
    'object.spec.items.all(object, object.whatever == 1)',
    'object.spec.items.all(item, item.port > 0) && object.spec.items[0].port > 0',
    "object.spec.a__dash__b == 'x' && object.spec['a-b'] == 'x' && object.spec.?size.orValue(1) > 0",
    "request.userInfo.extra.any.all(each, each != '') && object[request.operation] != ''",
  ])('is defined by an expression about what may be there: %s', (expression) => {
    const spec = s.object({
      size: s.int32({ optional: true }),
      'a-b': s.string(),
      settings: s.map(s.string()),
      anything: s.preserved(),
      embedded: s.preserved(),
      items: s.array(s.object({ port: s.int32() })),
    });
    const policies = [{ expression, message: 'no' }];
    expect(() =>
      customResource({ group: 'x.example.com', version: 'v1', kind: 'Guarded', spec, policies }),
    ).not.toThrow();
  });

  it.each([
    ['is empty', ' '],
    ['is of two lines', 'a\nb'],
  ])('is not defined by a message that %s', (_, message) => {
    expect(() => define('true', message)).toThrow(/policies\[1\]\.message: /);
  });

  it('is defined by what only a cluster can judge', () => {
    expect(define("authorizer.group('').resource('pods').check('get').allowed()").policies).toHaveLength(2);
  });
});

const expressions = [
  "object.spec.size <= 100 || 'system:masters' in request.userInfo.groups",
  'oldObject == null || object.spec.size >= oldObject.spec.size',
  "has(object.metadata.labels) && object.metadata.labels.exists(k, k.startsWith('a/'))",
  "object.metadata.?labels['a'].orValue('') != 'x'",
  'object.spec.list.map(x, x.name).all(name, object.spec.list.exists_one(x, x.name == name))',
  'object.spec.list.distinct().all(x, x > 1)',
  'object.spec.list.distinct().flatten().size() == 1',
  'object.spec.list.sort() == object.spec.list.reverse()',
  'sets.contains(object.spec.list, oldObject.spec.list)',
  "quantity(object.spec.memory).isLessThan(quantity('1Gi'))",
  "cidr('10.0.0.0/8').containsIP(object.spec.ip) && ip(object.spec.ip).family() == 4",
  "url(object.spec.url).getHost() == 'a' && url('https://a') == url('https://b')",
  "duration(object.spec.every) > duration('1m')",
  "object.spec.name.split('-').join('.').lowerAscii() == 'a.b'",
  'semver(object.spec.version).major() == 1 && object.spec.version.minor() == 2',
  "request.userInfo.extra['a'].exists(x, x == 'b') && request.options.dryRun == null",
  "request.kind.kind == 'A' && request.subResource == '' && request.requestKind.group == 'x'",
  "request.userInfo.name == 'a'",
  "request.uid == 'a'",
  'request.name.isInteger()',
  'request.userInfo.groups.all(x, x > 1)',
  'request.userInfo.groups.sum() == 1',
  "'abc' + 1 == 'abc1'",
  'object.spec.size +',
  'objekt.spec.size == 1',
  'object.spec.size.unheardOf() == 1',
  "object.spec.name.matches('(')",
  "base64.encode(b'a') == 'YQ=='",
  'object.spec.size',
];

onRealCluster('an expression of a policy', {}, (plane) => {
  it.each(expressions)('%s: is taken where the API server takes it', async (expression) => {
    const cluster = connect(await kubeConfig({ path: plane().kubeconfig }));
    const policies = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      plural: 'validatingadmissionpolicies',
      namespaced: false,
    };
    const resourceRules = [{ apiGroups: ['x.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['xs'] }];
    const policy = {
      apiVersion: policies.apiVersion,
      kind: policies.kind,
      metadata: { name: 'tried' },
      spec: { matchConstraints: { resourceRules }, validations: [{ expression }] },
    };
    const refusal = await cluster
      .create(policies, policy, { fieldManager: 'test', dryRun: true })
      .then(() => undefined)
      .catch((error: ApiError) => error.message);
    await cluster.close();
    const ours = policyExpression(expression);
    if (refusal === undefined) expect(ours.state).not.toBe('faulty');
    else expect([refusal, ours.state]).toEqual([expect.stringContaining('is invalid'), 'faulty']);
  });
});
