import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ForbiddenError, GoneError } from '../../src/client/api-error.js';
import type { ListOptions } from '../../src/client/cluster.js';
import { DeadlineError } from '../../src/client/deadline-error.js';
import { type ListAllOptions, listAll } from '../../src/client/list-all.js';
import type { KubeObject } from '../../src/kube/manifest.js';

const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }) as KubeObject;
const namesOf = async (list: (options: ListOptions) => Promise<object>, more: Partial<ListAllOptions> = {}) => {
  let names: string[] = [];
  const cluster = { list: (_: unknown, options: ListOptions) => list(options) } as unknown as Parameters<
    typeof listAll
  >[0];
  const resourceVersion = await listAll(cluster, ConfigMap, { namespace: 'n', ...more }, () => {
    names = [];
    return ({ metadata }) => names.push(metadata.name);
  });
  return { names, resourceVersion };
};

it('lists page by page, to the end', async () => {
  const listed = await namesOf(async ({ continue: token, namespace, limit }) => {
    expect([namespace, limit]).toEqual(['n', 500]);
    return token === undefined
      ? { items: [object('a')], resourceVersion: '7', continue: 'more' }
      : { items: [object('b')], resourceVersion: '7' };
  });
  expect(listed).toEqual({ names: ['a', 'b'], resourceVersion: '7' });
});

it.each([
  ['we', new DeadlineError('no whole answer within 120 s')],
  ['the server', new DeadlineError('took too long', { status: { code: 504 } })],
])(
  'lists in smaller pages where one takes longer than a call may, says %s, and gives up where no page comes',
  async (_, late) => {
    const limits: (number | undefined)[] = [];
    const slow = async ({ continue: token, limit }: ListOptions) => {
      limits.push(limit);
      if (limit === 500) throw late;
      return token === undefined
        ? { items: [object('a')], resourceVersion: '7', continue: 'more' }
        : { items: [object('b')], resourceVersion: '7' };
    };
    expect(await namesOf(slow)).toEqual({ names: ['a', 'b'], resourceVersion: '7' });
    expect(limits).toEqual([500, 125, 250]);
    const away = () => Promise.reject(new DeadlineError('no answer within 30 s'));
    await expect(namesOf(away)).rejects.toThrow('no answer within 30 s');
  },
);

it('lists all at once where the rest of a list cannot be had any more, and nothing twice', async () => {
  const listed = await namesOf(async ({ continue: token, limit }) => {
    if (token !== undefined) throw new GoneError('the token has expired');
    return limit === undefined
      ? { items: [object('b'), object('c')], resourceVersion: '9' }
      : { items: [object('a'), object('b')], resourceVersion: '7', continue: 'more' };
  });
  expect(listed).toEqual({ names: ['b', 'c'], resourceVersion: '9' });
});

it('goes on with what there is now of the rest, where the list may be mixed and the server offers that', async () => {
  const gone = new GoneError('the token has expired', {
    status: { code: 410, metadata: { continue: 'the rest now' } },
  });
  const server = async ({ continue: token, limit }: ListOptions) => {
    if (limit === undefined) return { items: [object('all')], resourceVersion: '9' };
    if (token === 'more') throw gone;
    return token === undefined
      ? { items: [object('a')], resourceVersion: '7', continue: 'more' }
      : { items: [object('b')], resourceVersion: '9' };
  };
  expect(await namesOf(server, { isMixed: true })).toEqual({ names: ['a', 'b'], resourceVersion: '9' });
  expect(await namesOf(server)).toEqual({ names: ['all'], resourceVersion: '9' });
});

it('throws what else goes wrong, and what is gone from the start', async () => {
  let asked = 0;
  const gone = () => {
    asked += 1;
    return Promise.reject(new GoneError('gone'));
  };
  await expect(namesOf(gone)).rejects.toThrow(GoneError);
  const refused = async ({ continue: token }: ListOptions) => {
    asked += 1;
    if (token !== undefined) throw new ForbiddenError('no');
    return { items: [], resourceVersion: '1', continue: 'more' };
  };
  await expect(namesOf(refused)).rejects.toThrow(ForbiddenError);
  // Neither is asked for again: smaller pages would be refused as well.
  expect(asked).toBe(3);
});

it('lists all at once where the server offers again and again what it has not', async () => {
  const gone = new GoneError('the token has expired', { status: { code: 410, metadata: { continue: 'more' } } });
  let asked = 0;
  const server = async ({ continue: token, limit }: ListOptions) => {
    asked += 1;
    if (asked > 9) throw new Error('asked for ever');
    if (limit === undefined) return { items: [object('all')], resourceVersion: '9' };
    if (token === 'more') throw gone;
    return { items: [object('a')], resourceVersion: '7', continue: 'more' };
  };
  expect(await namesOf(server, { isMixed: true })).toEqual({ names: ['all'], resourceVersion: '9' });
});
