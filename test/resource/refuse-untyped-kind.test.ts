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
  [
    'columns of a version that are no paths',
    { versions: { v1beta1: { ...older, columns: { Size: 5 } } } },
    ': versions.v1beta1.columns is not an object of texts',
  ],
  [
    'a version that is served by a word',
    { versions: { v1beta1: { ...older, served: 'no' } } },
    ': versions.v1beta1.served is not true or false',
  ],
  [
    'a version that is deprecated by a number',
    { versions: { v1beta1: { ...older, deprecated: 2027 } } },
    ': versions.v1beta1.deprecated is not true, false or a text',
  ],
  ['a version that is a text', { versions: { v1beta1: 'v1' } }, ': versions.v1beta1 is not an object'],
  [
    'a version that scales by what nobody counts',
    { versions: { v1beta1: { ...older, scale: { replicas: '.spec.size' } } } },
    ': versions.v1beta1.scale.statusReplicas is missing',
  ],
  [
    'a scale whose selector is misspelt, so that no autoscaler finds it',
    { scale: { replicas: '.spec.size', statusReplicas: '.status.ready', labelSelector: '.status.selector' } },
    '"scale.labelSelector" means nothing',
  ],
  [
    'a policy that says what is not heard',
    { policies: [{ expression: 'true', message: 'no', reason: 'Forbidden' }] },
    '"policies[0].reason" means nothing',
  ],
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
