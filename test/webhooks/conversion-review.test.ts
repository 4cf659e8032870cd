import { describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { type ConversionReview, conversionReview } from '../../src/webhooks/conversion-review.js';

/** Two kinds of one name, whose older version says otherwise what it meant. */
const [Box, OtherBox] = ['boxes.example.com', 'other.example.com'].map((group) =>
  customResource({
    group,
    version: 'v1',
    kind: 'Box',
    spec: s.object({ by: s.string() }),
    versions: { v1beta1: { spec: s.object({}), upgrade: () => ({ by: group }), downgrade: () => ({}) } },
  }),
);
const box = (group: string, kind = 'Box') => ({
  apiVersion: `${group}/v1beta1`,
  kind,
  metadata: { name: 'a', namespace: 'default' },
  spec: {},
});

describe('what the API server asks to be converted', () => {
  const answered = (...objects: readonly object[]) => {
    const request = { uid: '7', desiredAPIVersion: 'other.example.com/v1', objects };
    const asked = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
    return conversionReview(asked as unknown as ConversionReview, [Box!, OtherBox!]).response;
  };

  it('is converted by the kind of its own group, where another has the same name', () => {
    expect(answered(box('other.example.com'))).toMatchObject({
      uid: '7',
      result: { status: 'Success' },
      convertedObjects: [{ apiVersion: 'other.example.com/v1', spec: { by: 'other.example.com' } }],
    });
  });

  it.each([
    ['kind', box('other.example.com', 'Crate'), 'this controller does not convert Crate of other.example.com/v1beta1'],
    ['group', box('third.example.com'), 'this controller does not convert Box of third.example.com/v1beta1'],
  ])('is refused whole, and the caller told why, where one is of a %s that is none of ours', (_, stranger, message) => {
    expect(answered(box('other.example.com'), stranger)).toEqual({
      uid: '7',
      convertedObjects: [],
      result: { status: 'Failure', message },
    });
  });
});
