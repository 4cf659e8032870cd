import { describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { type AdmissionReview, isAdmissionReview, mutatingReview } from '../../src/webhooks/admission-review.js';
import { isConversionReview } from '../../src/webhooks/conversion-review.js';

const Shelf = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ label: s.string({ optional: true }) }),
  admission: {
    mutate: ({ metadata, spec }) => {
      if (spec.label === 'mistake') throw new Error('a mistake');
      return { ...spec, label: metadata.name.toUpperCase() };
    },
  },
});

describe('a review of what has no name yet, but a generateName,', () => {
  const reviewed = (label?: string): AdmissionReview['response'] => {
    const { apiVersion, kind } = Shelf;
    const metadata = { generateName: 'shelf-', namespace: 'default' };
    const object = { apiVersion, kind, metadata, spec: label === undefined ? {} : { label } };
    const asked = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: '1', object } };
    return mutatingReview(asked as never, Shelf).response;
  };

  it('hands its author a name that is empty, and not what is no text', () => {
    const { allowed, patch = '' } = reviewed('none') ?? {};
    expect(allowed).toBe(true);
    expect(JSON.parse(Buffer.from(patch, 'base64').toString())).toEqual([
      { op: 'add', path: '/spec/label', value: '' },
    ]);
  });

  it('names nothing undefined', () => {
    expect(reviewed('mistake')?.status?.message).not.toContain('undefined');
  });
});

describe('what is sent by anybody', () => {
  const object = { apiVersion: 'example.com/v1', kind: 'Shelf', metadata: { name: 'a' } };

  it.each<[string, unknown, boolean]>([
    ['of a new object', { request: { uid: '1', object, oldObject: null } }, true],
    ['of a changed one', { request: { uid: '1', object, oldObject: object } }, true],
    ['of nothing', { request: { uid: '1', object: null, oldObject: object } }, true],
    ['without a request', {}, false],
    ['of what has no metadata', { request: { object: {} } }, false],
    ['of what is no object', { request: { object: [object] } }, false],
    ['of what was none', { request: { object, oldObject: 7 } }, false],
    ['that is null', null, false],
    ['that is a text', 'x', false],
  ])('is a review, %s, or none', (_, body, isOne) => {
    expect(isAdmissionReview(body)).toBe(isOne);
  });

  it.each<[string, unknown, boolean]>([
    ['of objects', { request: { desiredAPIVersion: 'example.com/v1', objects: [object] } }, true],
    ['into nothing', { request: { objects: [object] } }, false],
    ['of what has no version', { request: { desiredAPIVersion: 'x/v1', objects: [{ metadata: {} }] } }, false],
    ['of what is no list', { request: { desiredAPIVersion: 'x/v1', objects: {} } }, false],
    ['that is null', null, false],
  ])('is a conversion, %s, or none', (_, body, isOne) => {
    expect(isConversionReview(body)).toBe(isOne);
  });
});
