import { expect, it } from '@jest/globals';
import { acceptFrom, consents } from '../../src/kube/consent.js';

const saying = (list: string) => ({ metadata: { name: 'store', annotations: { [acceptFrom]: list } } });

it.each<readonly [list: string, isNamed: boolean]>([
  ['team', true],
  [' team ', true],
  ['shop,team', true],
  ['team,shop', true],
  ['shop , team\n, other', true],
  ['my-team, team-2, team', true],
  ['teamteam,team', true],
  ['', false],
  ['teams', false],
  ['my-team', false],
  ['team shop', false],
  ['shop team', false],
  ['team;shop', false],
  ['*', false],
])('a namespace is named among others, as a whole: %j', (list, isNamed) => {
  expect(consents(saying(list), acceptFrom, 'team')).toBe(isNamed);
});

it('nobody is named by a list with nothing in it', () => {
  expect(consents(saying(','), acceptFrom, '')).toBe(false);
  expect(consents(undefined, acceptFrom, 'team')).toBe(false);
});

it('as long a list as there can be, of each of very many objects, holds up nobody who reads them', async () => {
  const long = saying('a,'.repeat(131_000));
  for (let object = 0; object < 30_000; object++) {
    if (consents(long, acceptFrom, 'team')) throw new Error('it is not in the list');
  }
  await new Promise<void>((others) => setImmediate(others));
});
