import { expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, optional, s } from '../../src/index.js';
import { DefinitionError } from '../../src/kube/errors.js';

const kindOf = (kind: string) =>
  customResource({
    group: 'web.example.com',
    version: 'v1',
    kind,
    spec: s.object({
      size: s.int32({ default: 1 }),
      settings: s.map(s.string(), { default: {} }),
      parts: s.listMap(s.object({ name: s.string(), port: s.int32() }), { keys: ['name'], default: [] }),
      anything: s.preserved({ optional: true }),
      tags: s.set(s.string(), { default: [] }),
      either: s.intOrString({ optional: true }),
    }),
    status: s.object({ ready: s.boolean() }),
  });
const [Site, Part] = [kindOf('Site'), kindOf('Part')];
const define = (drift: object) => operator(Site, { owns: [Part, Deployment, ConfigMap], drift, compose() {} });

it.each<[object, string, string, string]>([
  [{ kind: Part, field: 'spec.sise' }, 'spec.sise of Part', 'sise', 'size, settings, parts, anything, tags, either'],
  [{ kind: Part, field: 'specs.size' }, 'specs.size of Part', 'specs', 'apiVersion, kind, metadata, spec, status'],
  [{ kind: Part, field: 'spec.parts[name=web].prt' }, 'spec.parts[name=web].prt of Part', 'prt', 'name, port'],
  [{ kind: Part, field: 'spec.parts[*].prt' }, 'spec.parts[*].prt of Part', 'prt', 'name, port'],
  [{ kind: Part, field: 'spec.parts.port' }, 'spec.parts.port of Part', 'port', '[*], [name=…]'],
  [{ kind: Part, field: 'spec.parts[port=80].name' }, 'spec.parts[port=80].name of Part', 'port', '[*], [name=…]'],
  [{ kind: Part, field: 'spec.tags[name=web]' }, 'spec.tags[name=web] of Part', 'name', '[*]'],
  [{ kind: Part, field: 'spec.tags.x' }, 'spec.tags.x of Part', 'x', '[*]'],
])('a drift rule %j is refused where its kind has no such field', (rule, about, name, known) => {
  const message = `operator "site" of Site cannot be defined: a drift rule is about ${about}, where there is no "${name}"`;
  const refusal = expect.objectContaining({ message, hint: `write one of ${known}` });
  expect(() => define({ rules: [{ ...rule, mode: 'ignore' }] })).toThrow(DefinitionError);
  expect(() => define({ rules: [{ ...rule, mode: 'ignore' }] })).toThrow(refusal);
  expect(() => define({ sensitive: [rule] })).toThrow(refusal);
});

it.each([
  ['spec.size.max', 'max'],
  ['spec.settings.a.b', 'b'],
])('a drift rule about %s is refused, since nothing is below a number or a text', (field, name) => {
  const message = `operator "site" of Site cannot be defined: a drift rule is about ${field} of Part, where there is no "${name}"`;
  const hint = 'take the rule away, or write a key with dots in it as ["a.b"]';
  expect(() => define({ rules: [{ kind: Part, field, mode: 'ignore' }] })).toThrow(
    expect.objectContaining({ message, hint }),
  );
});

it.each([
  [{ kind: Deployment, field: 'metadata.lables' }, 'metadata.lables of Deployment'],
  [{ field: 'metadata.lables["app"]' }, 'metadata.lables["app"] of every kind'],
])('a drift rule %j is refused, since no kind has such metadata', (rule, about) => {
  expect(() => define({ rules: [{ ...rule, mode: 'ignore' }] })).toThrow(
    `a drift rule is about ${about}, where there is no "lables"`,
  );
});

it.each([
  [{ kind: Part, field: 'spec' }],
  [{ kind: Part, field: 'spec.settings.any' }],
  [{ kind: Part, field: 'spec.settings["a.b"]' }],
  [{ kind: Part, field: 'spec.anything.at.all' }],
  [{ kind: Part, field: 'spec.parts[name=web].port' }],
  [{ kind: Part, field: 'spec.tags[*]' }],
  [{ kind: Part, field: 'spec.either' }],
  [{ kind: Part, field: 'spec.*' }],
  [{ kind: Part, field: 'status.ready' }],
  [{ kind: Part, field: 'metadata.annotations["example.com/note"]' }],
  [{ kind: Deployment, field: 'spec.whatever.is.not.known.here' }],
  [{ field: 'data' }],
])('a drift rule %j may be', (rule) => {
  expect(() => define({ rules: [{ ...rule, mode: 'ignore' }] })).not.toThrow();
});

it('a drift rule is held to the schema of a kind that some clusters do not serve', () => {
  const rules = [{ kind: Part, field: 'spec.sise', mode: 'ignore' }] as never;
  expect(() => operator(Site, { owns: [optional(Part)], drift: { rules }, compose() {} })).toThrow(
    'there is no "sise"',
  );
});
