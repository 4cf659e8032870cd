import { describe, expect, it } from '@jest/globals';
import { customResource, labelValue, s } from '../../../src/index.js';
import { waitedFor, withRival } from '../../../src/runtime/children/rival.js';
import { configMap } from '../an-object.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const { apiVersion, kind } = Page;
const deletionTimestamp = '2026-01-01T00:00:00Z';

const page = (name: string, metadata: object = {}) => ({
  apiVersion,
  kind,
  metadata: { namespace: 'default', name, uid: name, resourceVersion: '1', ...metadata },
});
/** Its label has sixty-two characters: what is left of it must not end with a dash. */
const long = `${'pages-'.repeat(9)}of-the-library`;
const pages = [page('here'), page('going', { deletionTimestamp }), page(long, { uid: 'long', deletionTimestamp })];
const custom = {
  resource: Page,
  list: ({ namespace }: { readonly namespace?: string }) =>
    pages.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
  get: (namespace: string | undefined, name: string) =>
    pages.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
};
const controlledBy = (name: string, uid = name, of = kind) => ({
  namespace: 'default',
  ownerReferences: [{ apiVersion, kind: of, name, uid, controller: true }],
});
const labelledBy = (name: string, uid = name) => ({
  namespace: 'elsewhere',
  labels: {
    'web.example.com/owner-namespace': 'default',
    'web.example.com/owner-name': name,
    'web.example.com/owner-uid': uid,
  },
});

describe('what has the name of a child', () => {
  it.each<[string, object, { isLeft: boolean; rival?: { uid: string; isThere: boolean; isEnding: boolean } }]>([
    ['is nobody’s', {}, { isLeft: false }],
    ['is controlled by something else', controlledBy('here', 'here', 'Book'), { isLeft: false }],
    [
      'is controlled by one that is there',
      controlledBy('here'),
      { isLeft: false, rival: { uid: 'here', isThere: true, isEnding: false } },
    ],
    [
      'is controlled by one that goes',
      controlledBy('going'),
      { isLeft: false, rival: { uid: 'going', isThere: true, isEnding: true } },
    ],
    [
      'is controlled by one that is gone',
      controlledBy('gone'),
      { isLeft: true, rival: { uid: 'gone', isThere: false, isEnding: false } },
    ],
    [
      'is controlled by one that was there before',
      controlledBy('going', 'before'),
      { isLeft: true, rival: { uid: 'before', isThere: false, isEnding: false } },
    ],
    [
      'has the labels of one that is there',
      labelledBy('here'),
      { isLeft: false, rival: { uid: 'here', isThere: true, isEnding: false } },
    ],
    [
      'has the labels of one that goes',
      labelledBy('going'),
      { isLeft: false, rival: { uid: 'going', isThere: true, isEnding: true } },
    ],
    [
      'has the labels of one that goes, whose name is too long for one',
      labelledBy(labelValue(long), 'long'),
      { isLeft: false, rival: { uid: 'long', isThere: true, isEnding: true } },
    ],
    [
      'has the labels of one that is gone, whose name was too long for one',
      labelledBy(labelValue(long), 'before'),
      { isLeft: false, rival: { uid: 'before', isThere: false, isEnding: false } },
    ],
    [
      'has the labels of one that is gone',
      labelledBy('gone'),
      { isLeft: false, rival: { uid: 'gone', isThere: false, isEnding: false } },
    ],
  ])('%s', (_, metadata, expected) => {
    const { isLeft, rival } = withRival(refused(metadata), custom);
    expect({ isLeft, ...(rival && { rival }) }).toEqual(expected);
  });

  it('is waited for, and so is whose it is', () => {
    expect(waitedFor(refused({}))).toEqual(['ConfigMap/prod/a']);
    expect(waitedFor(withRival(refused(controlledBy('here')), custom))).toEqual(['ConfigMap/default/a', 'here']);
  });

  function refused(metadata: object) {
    const observed = configMap('a', 1, metadata);
    return { type: 'refuse', observed, owner: 'whoever', isLeft: false, taker: undefined } as const;
  }
});
