import { describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { type AdmissionReview, mutatingReview } from '../../src/webhooks/admission-review.js';

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
