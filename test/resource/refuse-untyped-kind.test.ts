import { expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { DefinitionError } from '../../src/kube/errors.js';

const spec = s.object({ size: s.int32({ default: 1 }) });
const thing = { group: 'x.example.com', version: 'v1', kind: 'Thing', spec };
const older = { spec, upgrade: () => ({}), downgrade: () => ({}) };

/** What the compiler says, too, where somebody asks it. */
it.each<[string, object, string]>([
  ['an option that there is not', { namespace: false }, 'Thing cannot be defined: "namespace" means nothing'],
  ['a misspelt one that would hold nobody to anything', { policy: [] }, '"policy" means nothing'],
  ['an admission that is asked by no name', { admission: { validates: () => [] } }, '"admission.validates" means'],
  ['an admission that is no function', { admission: { validate: ['no'] } }, 'admission.validate is no function'],
  ['no spec', { spec: undefined }, 'spec is no schema'],
  ['a spec of plain fields', { spec: { size: s.int32() } }, 'spec is no schema'],
  ['a status of plain fields', { status: { size: s.int32() } }, 'status is no schema'],
  ['a version without a spec', { versions: { v1beta1: { ...older, spec: undefined } } }, 'versions.v1beta1.spec is no'],
  ['a version that nobody converts', { versions: { v1beta1: { spec } } }, 'versions.v1beta1.upgrade is no function'],
  [
    'a version that is never read',
    { versions: { v1beta1: { ...older, downgrade: 1 } } },
    'v1beta1.downgrade is no function',
  ],
  ['an option of a version', { versions: { v1beta1: { ...older, stored: true } } }, '"versions.v1beta1.stored" means'],
])('a kind is refused with %s', (_, given, words) => {
  const define = () => customResource({ ...thing, ...given } as never);
  expect(define).toThrow(DefinitionError);
  expect(define).toThrow(words);
});

it.each([s.string, undefined, 'string', null])('an object is refused with a field that is no schema: %p', (field) => {
  const define = () => s.object({ size: s.int32(), name: field } as never);
  expect(define).toThrow(DefinitionError);
  expect(define).toThrow('its field "name" is no schema');
});
