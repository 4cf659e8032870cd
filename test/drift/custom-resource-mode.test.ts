import { describe, expect, it } from '@jest/globals';
import { customResourceMode } from '../../src/drift/custom-resource-mode.js';

const now = Date.parse('2026-01-31T12:00:00Z');
const mode = (until: string) =>
  customResourceMode(
    {
      apiVersion: 'web.example.com/v1',
      kind: 'Site',
      metadata: {
        name: 'a',
        namespace: 'n',
        uid: '1',
        resourceVersion: '1',
        annotations: { 'web.example.com/mode': 'report', 'web.example.com/mode-until': until },
      },
    },
    now,
  );

describe('until when a mode lasts', () => {
  it.each(['2026-01-31T18:00:00Z', '2026-01-31T19:00:00.5+01:00', '2026-01-31t18:00:00z'])('is told by %s', (until) => {
    expect(mode(until)).toEqual({ mode: 'report', until: Date.parse(until) });
  });

  it('is over at its time', () => {
    expect(mode('2026-01-31T12:00:00Z')).toBeUndefined();
  });

  it.each(['1', 'May 5', 'until 5', '18:00', '2026-01-31', '2026-01-31T18:00:00', '2026-02-31T25:00:00Z', 'tomorrow'])(
    'is told by no %s, which somebody would believe in',
    (until) => {
      expect(() => mode(until)).toThrow(`says "${until}" in web.example.com/mode-until, which is no time`);
    },
  );
});
