import type { Judged } from './judged.js';

const older = (fields: object) => ({ metadata: { name: 'ev' }, involvedObject: { namespace: 'default' }, ...fields });
const newer = (fields: object) => ({
  metadata: { name: 'ev' },
  regarding: { namespace: 'default' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'example.com/a',
  reportingInstance: 'a-1',
  action: 'Try',
  reason: 'Tried',
  type: 'Normal',
  ...fields,
});

export const events: Judged = {
  kind: 'Event',
  bodies: [
    ['an object', older({})],
    ['a name that no other kind has', older({ metadata: { name: 'A_b' } })],
    ['a name that does not fit into a path', older({ metadata: { name: 'a%b' } })],
    ['bad metadata', older({ metadata: { name: 'ev', annotations: { 'a b': 'c' }, labels: { 'a b': 'c' } } })],
    [
      'bad metadata, and an object of elsewhere',
      older({ metadata: { name: 'ev', annotations: { 'a b': 'c' } }, involvedObject: { namespace: 'other' } }),
    ],
    ['an object of nowhere', older({ involvedObject: {} })],
    ['an object of elsewhere', older({ involvedObject: { namespace: 'other' } })],
    ['a new one that says too little', older({ eventTime: '2026-01-01T00:00:00.000000Z', involvedObject: {} })],
    [
      'a new one that says too much',
      older({
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingComponent: 'a',
        reportingInstance: 'x'.repeat(129),
        action: 'x'.repeat(129),
        reason: 'x'.repeat(129),
        message: 'x'.repeat(1025),
      }),
    ],
    [
      'much',
      older({
        reason: 'a',
        message: 'b',
        type: 'Warning',
        count: 2,
        source: { component: 'c' },
        firstTimestamp: '2026-01-01T00:00:00Z',
      }),
    ],
  ],
  changes: [['of the count', older({ count: 1 }), { count: 2 }]],
};

export const newerEvents: Judged = {
  kind: 'Event.events.k8s.io',
  bodies: [
    ['all that it needs', newer({})],
    ['too little', { metadata: { name: 'ev' }, regarding: { namespace: 'default' } }],
    ['a bad controller', newer({ reportingController: 'a b' })],
    ['a bad type', newer({ type: 'Odd' })],
    ['a series', newer({ series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } })],
    ['a bad series', newer({ series: { count: 1, lastObservedTime: null } })],
    [
      'what is of the past',
      newer({
        deprecatedCount: 1,
        deprecatedSource: { component: 'a' },
        deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      }),
    ],
  ],
  changes: [
    ['of the reason', newer({}), { reason: 'Failed' }],
    ['of the note', newer({}), { note: 'a' }],
    ['of the object', newer({}), { regarding: { name: 'a' } }],
    ['of the series', newer({}), { series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } }],
    ['of the time', newer({}), { eventTime: '2026-01-02T00:00:00.000000Z' }],
  ],
};
