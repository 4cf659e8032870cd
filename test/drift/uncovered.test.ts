/** Longer than most files: one table of all shapes of ownership. */
import { describe, expect, it } from '@jest/globals';
import { coverageOf, uncoveredFields } from '../../src/drift/uncovered.js';
import type { FieldsV1 } from '../../src/kube/manifest.js';
import { fieldsOf } from './an-object.js';

/** The paths of `body` that are uncovered when we own `ours`, others own `others`, and the server shows `observed`. */
function uncovered(body: object, ours: readonly string[], others: readonly string[] = [], observed: unknown = body) {
  const desired = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a', namespace: 'n' }, ...body };
  const own: FieldsV1[] = ours.length === 0 ? [] : [fieldsOf(ours)];
  return uncoveredFields(desired, observed, own, [...own, fieldsOf(others)]).map(({ path }) => path);
}

const port = 'f:spec f:ports k:{"port":80,"protocol":"TCP"}';
const portUdp = 'f:spec f:ports k:{"port":80,"protocol":"UDP"}';

describe('the fields that are desired and not ours', () => {
  it.each<[string, object, readonly string[], readonly string[], readonly string[]]>([
    // rule, desired, ours, others', uncovered
    ['nothing is lost while each leaf is ours', { spec: { replicas: 3 } }, ['f:spec f:replicas'], [], []],
    [
      'a leaf that another took',
      { spec: { replicas: 3 } },
      ['f:spec f:paused'],
      ['f:spec f:replicas'],
      ['spec.replicas'],
    ],
    ['a leaf that both own', { spec: { replicas: 3 } }, ['f:spec f:replicas'], ['f:spec f:replicas'], []],
    ['a leaf that nobody owns', { data: { x: '1', y: '2' } }, ['f:data f:x'], [], ['data.y']],
    ['all, when nothing at all is ours', { data: { x: '1' }, kindOf: 'k' }, [], [], ['data.x', 'kindOf']],
    ['a map that is owned as one', { spec: { selector: { app: 'x' } } }, ['f:spec f:selector'], [], []],
    ['a list that is owned as one', { spec: { args: ['a', 'b'] } }, ['f:spec f:args'], [], []],
    [
      'a list that is owned as one, by another',
      { spec: { args: ['a'] } },
      ['f:spec f:x'],
      ['f:spec f:args'],
      ['spec.args'],
    ],
    ['a list that nobody owns any item of', { spec: { ports: [{ port: 80 }] } }, ['f:spec f:x'], [], ['spec.ports']],
    [
      'an item by its keys',
      { spec: { ports: [{ port: 80, protocol: 'TCP' }] } },
      [`${port} f:port`, `${port} f:protocol`],
      [],
      [],
    ],
    ['an item whose left-out key has its default', { spec: { ports: [{ port: 80 }] } }, [`${port} f:port`], [], []],
    [
      'a field of an item that another took',
      { spec: { ports: [{ port: 80, name: 'web' }] } },
      [`${port} .`, `${port} f:port`],
      [`${port} f:name`],
      ['spec.ports[0].name'],
    ],
    [
      "an item that is wholly another's",
      { spec: { ports: [{ port: 80, name: 'web' }] } },
      ['f:spec f:type'],
      [`${port} f:port`, `${port} f:name`],
      ['spec.ports[0].port', 'spec.ports[0].name'],
    ],
    [
      'an item that is gone, beside one that is there',
      { spec: { ports: [{ port: 80 }, { port: 90 }] } },
      [`${port} f:port`],
      [],
      ['spec.ports[1]'],
    ],
    [
      'an item that is gone, whose left-out key would fit one that another item is',
      { spec: { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] } },
      [`${portUdp} f:port`, `${portUdp} f:protocol`],
      [],
      ['spec.ports[0]'],
    ],
    [
      'a value of a set',
      { metadata: { name: 'a', finalizers: ['x', 'y'] } },
      ['f:metadata f:finalizers v:"x"'],
      [],
      ['metadata.finalizers[1]'],
    ],
    ['a set that is ours', { metadata: { name: 'a', finalizers: ['x'] } }, ['f:metadata f:finalizers v:"x"'], [], []],
    [
      "a value of a set that is another's",
      { metadata: { name: 'a', finalizers: ['x'] } },
      ['f:metadata f:labels'],
      ['f:metadata f:finalizers v:"x"'],
      ['metadata.finalizers[0]'],
    ],
    ['an empty map, of which nothing can be changed', { spec: { emptyDir: {} } }, ['f:spec f:x'], [], []],
    ['the name and the namespace, which nobody owns', {}, [], [], []],
    [
      'a key with dots and slashes',
      { metadata: { name: 'a', labels: { 'example.com/a.b': 'x' } } },
      ['f:metadata f:labels f:example.com/a.b'],
      [],
      [],
    ],
    [
      'a key that is a property of every object',
      { data: { constructor: 'x' } },
      ['f:data f:x'],
      [],
      ['data.constructor'],
    ],
  ])('%s', (_, body, ours, others, expected) => {
    expect(uncovered(body, ours, others)).toEqual(expected);
  });

  it.each<[string, unknown, unknown, readonly string[], boolean]>([
    // field, desired, observed, owned by others, reported
    ['value', '', undefined, [], false],
    ['hostNetwork', false, undefined, [], false],
    ['minReadySeconds', 0, undefined, [], false],
    ['nodeSelector', {}, undefined, [], false],
    ['tolerations', [], undefined, [], false],
    // What the server would have stored is not there: somebody removed it.
    ['automountServiceAccountToken', false, undefined, [], true],
    ['replicas', 0, undefined, [], true],
    ['emptyDir', {}, undefined, [], true],
    ['value', 'x', undefined, [], true],
    ['paused', true, undefined, [], true],
    // Somebody wrote it.
    ['minReadySeconds', 0, 1, ['f:spec f:minReadySeconds'], true],
    ['paused', false, true, ['f:spec f:paused'], true],
    ['value', '', 'x', ['f:spec f:value'], true],
    // The server chose it.
    ['clusterIP', '', '10.0.0.1', [], false],
    ['nodePort', 0, 30000, [], false],
    // It is what it should be, whoever says so, too.
    ['serviceName', '', '', ['f:spec f:serviceName'], false],
    // Others added to it.
    ['nodeSelector', {}, { a: 'b' }, ['f:spec f:nodeSelector f:a'], false],
    ['ports', [], [{ port: 80 }], ['f:spec f:ports k:{"port":80} f:port'], false],
    ['tolerations', [], [{ key: 'a' }], ['f:spec f:tolerations'], false],
    ['emptyDir', {}, {}, ['f:spec f:emptyDir'], false],
    ['metrics', [], [{ type: 'Resource' }], [], false],
  ])(
    '%s: %j, of which the server shows %j, owned by others: %j, is reported: %j',
    (field, desired, shown, others, is) => {
      const at = (value: unknown) => ({ spec: { [field]: value } });
      expect(uncovered(at(desired), ['f:spec f:x'], others, at(shown))).toEqual(is ? [`spec.${field}`] : []);
    },
  );

  it.each<[string, unknown, unknown, string, boolean]>([
    ['example.com/v1', [], ['a'], 'f:spec f:value', true],
    ['example.com/v1', {}, { a: 'b' }, 'f:spec f:value', true],
    ['networking.k8s.io/v1', [], [{}], 'f:spec f:value', true],
    ['rbac.authorization.k8s.io/v1', [], [{}], 'f:spec f:value', true],
    ['apps/v1', [], ['sh'], 'f:spec f:value', true],
    ['v1', [], ['sh'], 'f:spec f:value', false],
    ['autoscaling/v2', [], [{}], 'f:spec f:value', false],
    ['example.com/v1', [], [{ name: 'a' }], 'f:spec f:value k:{"name":"a"} f:name', false],
    ['example.com/v1', {}, { a: 'b' }, 'f:spec f:value f:a', false],
    ['example.com/v1', {}, {}, 'f:spec f:value', false],
  ])('of %s, %j that is %j, and of others as %s, is reported: %j', (apiVersion, value, shown, others, is) => {
    const desired = { apiVersion, kind: 'Any', metadata: { name: 'a' }, spec: { value } };
    const own = fieldsOf(['f:spec f:x']);
    const found = uncoveredFields(desired, { spec: { value: shown } }, [own], [own, fieldsOf([others])]);
    expect(found.map(({ path }) => path)).toEqual(is ? ['spec.value'] : []);
  });

  it('leaves the rules of a ClusterRole that gathers them to who does', () => {
    const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a' } };
    const desired = { ...kind, aggregationRule: { clusterRoleSelectors: [{}] }, rules: [] };
    const [own, theirs] = [fieldsOf(['f:aggregationRule']), fieldsOf(['f:rules'])];
    expect(uncoveredFields(desired, { ...desired, rules: [{}] }, [own], [own, theirs])).toEqual([]);
  });

  it.each([[''], [0], [false], [{}], [[]]])('of a custom kind, a %j that is not there was removed', (value) => {
    const desired = { apiVersion: 'example.com/v1', kind: 'Any', metadata: { name: 'a' }, spec: { value } };
    const own = [fieldsOf(['f:spec f:x'])];
    expect(uncoveredFields(desired, { spec: {} }, own, own).map(({ path }) => path)).toEqual(['spec.value']);
  });

  it('leaves it open whether what the server does not store was removed', () => {
    const desired = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, spec: { value: '', x: 1 } };
    const own = [fieldsOf(['f:spec f:x'])];
    const { lost, open } = coverageOf(desired, { spec: { x: 1 } }, own, own);
    expect([lost, open.map(({ path }) => path)]).toEqual([[], ['spec.value']]);
  });

  it.each<[unknown, string]>([
    ['a<b>&c', 'v:"a\\u003cb\\u003e\\u0026c"'],
    ['\u2028', 'v:"\\u2028"'],
    ['grüße', 'v:"grüße"'],
    [1e21, 'v:1e+21'],
    [true, 'v:true'],
  ])('finds %j in a set however the server spells it', (value, segment) => {
    expect(uncovered({ list: [value] }, [`f:list ${segment}`])).toEqual([]);
  });

  it('compares no value, so quantities, defaults and the order of lists raise no alarm', () => {
    const body = { spec: { cpu: '1000m', ports: [{ port: 90 }, { port: 80 }] } };
    const observed = {
      spec: {
        cpu: '1',
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 90, protocol: 'TCP' },
        ],
      },
    };
    const item = (number: number) => `f:spec f:ports k:{"port":${number},"protocol":"TCP"} f:port`;
    expect(uncovered(body, ['f:spec f:cpu', item(80), item(90)], [], observed)).toEqual([]);
  });

  it('counts what any of our entries owns: the POST that created and the applies that followed', () => {
    const desired = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, data: { x: '1', y: '2' } };
    const ours = [fieldsOf(['f:data f:x']), fieldsOf(['f:data f:y'])];
    expect(uncoveredFields(desired, desired, ours, ours)).toEqual([]);
  });

  it('takes an entry without any field for an entry that owns nothing', () => {
    const desired = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, data: { x: '1' } };
    expect(uncoveredFields(desired, desired, [{}], [{}])).toHaveLength(1);
  });

  it('shows the value of a list item that is there in another place', () => {
    const desired = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, list: [{ name: 'b', image: 'new' }] };
    const observed = {
      list: [
        { name: 'a', image: 'other' },
        { name: 'b', image: 'old' },
      ],
    };
    const ours = fieldsOf(['f:list k:{"name":"b"} f:name']);
    expect(uncoveredFields(desired, observed, [ours], [ours])).toEqual([
      {
        path: 'list[0].image',
        trail: ['f:list', 'k:{"name":"b"}', 'f:image'],
        desired: 'new',
        observed: 'old',
      },
    ]);
  });
});

describe('what our POST put into a map or a list, and no more is ours,', () => {
  const ports = { ...manifestOf({ ports: [{ name: 'http', port: 80 }] }) };
  it.each<[string, unknown, readonly FieldsV1[], string]>([
    [
      'was replaced by another',
      [{ port: 8080 }],
      [fieldsOf(['f:spec f:ports k:{"port":8080} f:port'])],
      'spec.ports[0]',
    ],
    ['was removed', [], [], 'spec.ports'],
    ['was removed with the list', undefined, [], 'spec.ports'],
  ])('is uncovered when it %s', (_, observed, others, path) => {
    // All that is left is the list itself.
    const ours = fieldsOf(['f:spec f:ports']);
    const found = uncoveredFields(ports, { spec: { ports: observed } }, [ours], [ours, ...others]);
    expect(found.map((field) => field.path)).toEqual([path]);
  });

  it('is covered while it is there, and owned as one', () => {
    const ours = fieldsOf(['f:spec f:ports']);
    const observed = { spec: { ports: [{ name: 'http', port: 80, protocol: 'TCP' }] } };
    expect(uncoveredFields(ports, observed, [ours], [ours])).toEqual([]);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['in an empty map', { ingress: {} }, ['spec.settings.ingress.class']],
    ['with the map', { mode: 'default' }, ['spec.settings.ingress.class']],
    ['beside a default', { ingress: { mode: 'default' } }, ['spec.settings.ingress.class']],
    ['and is there, with all but what the server leaves out', { ingress: { class: 'a' } }, []],
    ['and is there in another form', { ingress: 'a' }, ['spec.settings.ingress.class']],
  ])('is looked for below a map that is not empty: %s', (_, settings, paths) => {
    const desired = manifestOf({ settings: { ingress: { class: 'a' }, none: {}, zero: 0 } });
    const ours = fieldsOf(['f:spec f:settings']);
    const found = uncoveredFields(desired, { spec: { settings } }, [ours], [ours]);
    expect(found.map(({ path }) => path).filter((path) => path.endsWith('class'))).toEqual(paths);
  });
});

function manifestOf(spec: object) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec };
}
