import { describe, expect, it } from '@jest/globals';
import { asJson, type Judged, nameIn } from './bodies/judged.js';
import type { Both, SideBySide } from './side-by-side.js';

/** Asks both servers about every body of `all`. `masked` writes over what of an answer, as text, is chosen anew each time. */
export function judgeAlike(all: readonly Judged[], servers: () => SideBySide, masked: (text: string) => string): void {
  const settled = (said: Both['real']): unknown => JSON.parse(masked(JSON.stringify(said)));
  const agree = ({ real, embedded }: Both) => expect(settled(embedded)).toEqual(settled(real));

  describe.each(all)('of $kind', ({ kind, bodies, created = [], changes = [], statuses = [] }) => {
    it.each(bodies)('judges as new: %s', async (_, body) => {
      agree(await servers().judge(kind, asJson(body)));
    });

    if (created.length > 0) {
      it.each(created)('creates: %s', async (_, body) => {
        try {
          agree(await servers().create(kind, asJson(body)));
        } finally {
          await servers().delete(kind, nameIn(body));
        }
      });
    }

    const updates = [
      ...changes.map(([title, body, change]) => [title, body, change, undefined] as const),
      ...statuses.map(([title, body, change]) => [title, body, change, 'status'] as const),
    ];
    if (updates.length === 0) return;
    it.each(updates)('judges a change: %s', async (_, body, change, subresource) => {
      agree(await servers().create(kind, asJson(body)));
      try {
        agree(await servers().update(kind, nameIn(body), asJson(change), subresource));
      } finally {
        await servers().delete(kind, nameIn(body));
      }
    });
  });
}
