import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, optional, s } from '../../src/index.js';
import { DefinitionError, OperatorError } from '../../src/kube/errors.js';

const kind = { group: 'web.example.com', version: 'v1', kind: 'Site', spec: s.object({ size: s.int32() }) };
const Site = customResource(kind);
const site = { owns: [ConfigMap], compose() {} };

/** As from JavaScript, which no compiler looks at. */
const thrown = (make: () => unknown): unknown => {
  try {
    return make();
  } catch (error) {
    return error;
  }
};
const untyped = (value: unknown) => value as never;

describe('an operator', () => {
  it.each<[object, string, string]>([
    [{ name: 7 }, 'name is not a text', "write name: '…', or leave it out"],
    [{ reads: null }, 'reads is not an object', 'write reads: { … }, or leave it out'],
    [{ reads: [] }, 'reads is not an object', 'write reads: { … }, or leave it out'],
    [{ external: null }, 'external is not an object', 'write external: { … }, or leave it out'],
    [{ settings: ['TOKEN'] }, 'settings is not an object of texts', "write settings: { …: '…' }, or leave it out"],
    // By a text alone whoever is called by a part of it would be inherited from.
    [{ formerly: 'old-site' }, 'formerly is not a list of texts', "write formerly: ['…'], or leave it out"],
    // It would be true.
    [{ allowEmpty: 'no' }, 'allowEmpty is not true or false', 'write allowEmpty: true, or leave it out'],
    [{ removal: 5 }, 'removal is not a text', "write removal: '…', or leave it out"],
    [{ recreate: ConfigMap }, 'recreate is not a list of kinds', 'write recreate: [ConfigMap], or leave it out'],
    [
      { requeueAfterSeconds: 5n },
      'requeueAfterSeconds is not a number',
      'write requeueAfterSeconds: 5, or leave it out',
    ],
    [{ drift: 'report' }, 'drift is not an object', 'write drift: { … }, or leave it out'],
    [{ drift: { strict: 'no' } }, 'drift.strict is not true or false', 'write strict: true, or leave it out'],
    [
      { drift: { rules: [null] } },
      'drift.rules[0] is not an object',
      'write { kind, field, strict }, or what of it is needed',
    ],
    [
      { drift: { rules: [{ kind: 'ConfigMap', mode: 'ignore' }] } },
      'drift.rules[0].kind is not a kind',
      'write kind: Deployment, or leave it out',
    ],
    [
      { drift: { rules: [{ field: 5, mode: 'ignore' }] } },
      'drift.rules[0].field is not a text',
      "write field: '…', or leave it out",
    ],
    [
      { drift: { sensitive: [{ kind: ConfigMap }] } },
      'drift.sensitive[0].field is missing',
      "write which field may be shown to nobody: { kind: ConfigMap, field: 'data.token' }",
    ],
  ])('with %j is refused in words', (wrong, words, hint) => {
    const error = thrown(() => operator(Site, untyped({ ...site, ...wrong })));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(error).toMatchObject({ message: `operator of Site cannot be defined: ${words}`, hint });
  });

  it.each([undefined, null, 'Route', {}, { kind: 'Route' }])('is refused %j for an optional kind in words', (wrong) => {
    const error = thrown(() => operator(Site, { ...site, owns: [optional(untyped(wrong))] }));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(error).toMatchObject({
      message: 'optional() is handed no kind',
      hint: expect.stringContaining('optional(Route)'),
    });
  });

  it.each([[undefined], [{}], [{ spec: { size: 1 } }], ['site']])('is not asked for the children of %j', (cr) => {
    const error = thrown(() => operator(Site, site).desired(untyped(cr)));
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({ message: 'Site cannot be composed: what was handed in is no custom resource' });
  });
});

describe('a kind', () => {
  it.each<[object, string]>([
    [{ kind: undefined }, 'a kind cannot be defined: it has no kind'],
    [{ version: 1 }, 'Site cannot be defined: version is not a text'],
    [{ shortNames: 'st' }, 'Site cannot be defined: shortNames is not a list of texts'],
    [{ namespaced: 'no' }, 'Site cannot be defined: namespaced is not true or false'],
    [{ columns: { Size: 5 } }, 'Site cannot be defined: columns is not an object of texts'],
    [{ scale: '.spec.size' }, 'Site cannot be defined: scale is not an object'],
    [{ scale: {} }, 'Site cannot be defined: scale.replicas is missing'],
    [{ policies: 'true' }, 'Site cannot be defined: policies is not a list of objects'],
    [{ policies: [{ expression: 5, message: 'x' }] }, 'Site cannot be defined: policies[0].expression is not a text'],
  ])('with %j is refused in words', (wrong, message) => {
    const error = thrown(() => customResource(untyped({ ...kind, ...wrong })));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(error).toMatchObject({ message });
  });
});

describe('a schema', () => {
  const noSchema = 'what it holds is no schema';
  it.each<[string, () => unknown, string]>([
    ['s.object()', () => s.object(untyped(undefined)), 'object schema cannot be defined: it has no fields'],
    ['s.array(s.string)', () => s.array(untyped(s.string)), `list cannot be defined: ${noSchema}`],
    ['s.set()', () => s.set(untyped(undefined)), `list cannot be defined: ${noSchema}`],
    ['s.map(s.string)', () => s.map(untyped(s.string)), `map cannot be defined: ${noSchema}`],
    [
      's.listMap without keys',
      () => s.listMap(s.object({ name: s.string() }), untyped(undefined)),
      'list cannot be defined: its keys are no list of names',
    ],
    [
      "s.enum('a', 'b')",
      () => s.enum(untyped('a'), untyped('b')),
      'enum cannot be defined: its values are no list of texts',
    ],
    [
      'rules that are a text',
      () => s.string(untyped({ rules: "self != ''" })),
      'schema cannot be defined: its rules are no list of rules',
    ],
  ])('of %s is refused in words', (_, make, message) => {
    const error = thrown(make);
    expect(error).toBeInstanceOf(DefinitionError);
    expect(error).toMatchObject({ message });
  });
});
