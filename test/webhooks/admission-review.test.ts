import { describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import {
  type AdmissionReview,
  isAdmissionReview,
  mutatingReview,
  validatingReview,
} from '../../src/webhooks/admission-review.js';
import { isConversionReview } from '../../src/webhooks/conversion-review.js';
import { Vault } from '../resource/a-guarded-kind.js';

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

describe('a review of what is wrong', () => {
  const wrong = { size: 30, tier: 'small' };
  const verdict = (spec: object, metadata: object, oldSpec?: object) => {
    const { apiVersion, kind } = Vault;
    const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'default', ...metadata }, spec };
    const oldObject = oldSpec && { ...object, spec: oldSpec };
    const asked = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: '7', object, oldObject },
    };
    const { uid, allowed, status } = validatingReview(asked as never, Vault).response ?? {};
    return { uid, allowed, code: status?.code };
  };
  const going = { deletionTimestamp: '2030-01-01T00:00:00Z' };

  it.each<[string, Parameters<typeof verdict>, boolean]>([
    ['lets it go where it is being deleted as it was', [wrong, going, wrong], true],
    ['refuses it where it becomes so while it is being deleted', [wrong, going, { size: 30 }], false],
    ['refuses it where it stays, though it was so before', [wrong, {}, wrong], false],
    ['refuses it where it is new, whatever it says of its end', [wrong, going], false],
  ])('%s', (_, asked, isAllowed) => {
    expect(verdict(...asked)).toEqual({ uid: '7', allowed: isAllowed, code: isAllowed ? undefined : 422 });
  });

  it('has nothing to say of what is deleted, of which there is no object', () => {
    const request = { uid: '7', object: null, oldObject: { metadata: { name: 'a' }, spec: wrong } };
    const asked = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    expect(validatingReview(asked as never, Vault).response).toEqual({ uid: '7', allowed: true });
  });
});

describe('a review whose author changes what he is handed', () => {
  const Box = customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Box',
    spec: s.object({ size: s.int32({ optional: true }), extra: s.preserved<{ list: string[] }>({ optional: true }) }),
    admission: {
      mutate({ spec }) {
        const given = spec as { size?: number; extra?: { list: string[] } };
        given.size = 7;
        given.extra?.list.push('more');
        return given;
      },
    },
  });
  const reviewed = (spec: object) => {
    const object = { apiVersion: Box.apiVersion, kind: Box.kind, metadata: { name: 'a', namespace: 'default' }, spec };
    const asked = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: '1', object } };
    const { patch, status } = mutatingReview(asked as never, Box).response ?? {};
    return patch === undefined ? status?.message : (JSON.parse(Buffer.from(patch, 'base64').toString()) as unknown);
  };

  it('stores what he changed of the copy that he has', () => {
    expect(reviewed({})).toEqual([{ op: 'add', path: '/spec/size', value: 7 }]);
  });

  it('refuses it where that is what was asked about, of which no change would be seen', () => {
    expect(reviewed({ extra: { list: ['one'] } })).toMatch(
      /^reviewing Box.default.a failed: .* object is not extensible$/,
    );
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
    ['of some that are none', { request: { desiredAPIVersion: 'x/v1', objects: [object, {}] } }, false],
    ['without a request', {}, false],
    ['of what is no list', { request: { desiredAPIVersion: 'x/v1', objects: {} } }, false],
    ['that is null', null, false],
  ])('is a conversion, %s, or none', (_, body, isOne) => {
    expect(isConversionReview(body)).toBe(isOne);
  });
});
