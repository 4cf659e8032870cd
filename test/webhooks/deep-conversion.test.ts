import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { type ConversionReview, conversionReview } from '../../src/webhooks/conversion-review.js';
import { ServedReviews } from './served-reviews.js';

const Shelf = customResource({
  group: 'shelves.example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ size: s.int32({ default: 1 }), free: s.preserved() }),
  versions: {
    v1beta1: {
      spec: s.object({ free: s.preserved() }),
      upgrade: ({ free }) => ({ size: 1, free }),
      downgrade: ({ free }) => ({ free }),
    },
  },
});

const served = new ServedReviews(1);
beforeAll(() =>
  served.start({
    room: 50_000_000,
    reviews: {
      '/convert': {
        largest: 1_000_000,
        answer: (body, numbers) => conversionReview(body as ConversionReview, [Shelf], numbers),
      },
    },
  }),
);
afterAll(() => served.end());

const shelf = (version: string, name: string, spec: string, annotations = '') =>
  `{"apiVersion":"${Shelf.group}/${version}","kind":"Shelf","metadata":{"name":"${name}"${annotations}},"spec":${spec}}`;
/** What is answered for a list of `objects` that is to be shown in `version`. */
const shown = (version: string, ...objects: readonly string[]) =>
  new Promise<string>((resolve, reject) => {
    const asked = request(
      `https://${served.server.address}/convert`,
      { method: 'POST', agent: served.agent },
      (response) => void text(response).then(resolve, reject),
    );
    asked.once('error', reject);
    asked.end(`{"request":{"uid":"1","desiredAPIVersion":"${Shelf.group}/${version}","objects":[${objects.join()}]}}`);
  });
/** Fewer than an API server takes, and more than fit on the stack of whoever goes down level by level. */
const deep = `${'{"a":['.repeat(4900)}1,"b"${']}'.repeat(4900)}`;

it('one custom resource that is nested thousands of levels deep keeps nobody from a list of its kind', async () => {
  const answer = await shown(
    'v1beta1',
    shelf('v1', 'a', `{"size":1,"free":${deep}}`),
    shelf('v1', 'b', '{"size":1,"free":2}'),
  );
  const converted = [shelf('v1beta1', 'a', `{"free":${deep}}`), shelf('v1beta1', 'b', '{"free":2}')];
  expect(
    answer === `{"response":{"uid":"1","convertedObjects":[${converted.join()}],"result":{"status":"Success"}}}`,
  ).toBe(true);
});

it('nor does one of which an older version has no words for all, which nobody can write back there', async () => {
  const answer = await shown('v1beta1', shelf('v1', 'a', `{"size":2,"free":${deep}}`));
  const converted = shelf('v1beta1', 'a', `{"free":${deep}}`, ',"annotations":{"kilter.dev/stored-spec":"too long"}');
  expect(answer === `{"response":{"uid":"1","convertedObjects":[${converted}],"result":{"status":"Success"}}}`).toBe(
    true,
  );
  expect(await shown('v1', converted)).toContain('"status":"Failure"');
});
