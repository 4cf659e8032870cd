import { beforeAll, describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { withServed } from '../embedded/http/served.js';

const Account = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Account',
  spec: s.object({ id: s.int64(), low: s.int64({ minimum: 0, optional: true }) }),
});

describe('a whole number that JavaScript does not hold exactly', () => {
  const served = withServed({ plain: true });
  beforeAll(async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect(await served().ask('POST', crds, { body: Account.crd() })).toMatchObject({ code: 201 });
  });

  const post = (id: string, low = '0') =>
    served().ask('POST', '/apis/example.com/v1/namespaces/default/accounts', {
      body: `{"apiVersion":"example.com/v1","kind":"Account","metadata":{"generateName":"a-"},"spec":{"id":${id},"low":${low}}}`,
    });

  it.each([
    ['9007199254740993', 'should be less than or equal to 9007199254740991'],
    ['-9007199254740993', 'should be greater than or equal to -9007199254740991'],
  ])('such as %s is refused by the definition', async (id, words) => {
    const { code, text } = await post(id);
    expect(code).toBe(422);
    expect(text).toContain(`spec.id in body ${words}`);
  });

  it("is refused above an author's lower limit, too", async () => {
    const { code, text } = await post('1', '9007199254740993');
    expect(code).toBe(422);
    expect(text).toContain('spec.low in body should be less than or equal to 9007199254740991');
  });

  it.each(['9007199254740991', '-9007199254740991'])('unlike %s', async (id) => {
    const { code, text } = await post(id);
    expect(code).toBe(201);
    expect(text).toContain(`"id":${id}`);
  });
});
