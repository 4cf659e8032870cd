import { describe, expect, it } from '@jest/globals';
import { resourceNamed } from '../../src/cli/resource-named.js';
import { OperatorError } from '../../src/kube/errors.js';

/** By group its versions, the preferred one first, each with the kinds that it has. Null: it does not answer. */
type Served = Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>>;

/** An API server that is asked what it serves, and nothing else. */
function serverOf(served: Served) {
  const asked: string[] = [];
  const request = async (_: string, path: string): Promise<unknown> => {
    asked.push(path);
    const [group, version] = path.split('/').slice(2);
    if (group === undefined || version === undefined) {
      const groups = Object.entries(served).map(([name, kinds]) => {
        const versions = Object.keys(kinds).map((each) => ({ groupVersion: `${name}/${each}` }));
        return { name, versions, preferredVersion: versions[0] };
      });
      return { groups };
    }
    const kinds = served[group]?.[version];
    if (!kinds) throw new OperatorError(`${path} get failed: the server answered 503`);
    return { resources: kinds.map((kind) => ({ name: `${kind.toLowerCase()}s`, kind, namespaced: true })) };
  };
  return { asked, request };
}

const resource = (apiVersion: string, kind: string) => ({
  apiVersion,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const tools = { 'tools.example.com': { v2: ['Saw'], v1: ['Saw', 'Axe'], v1beta1: ['Axe', 'Awl'] } };
const broken = { 'broken.example.com': { v1: null } };

describe('a kind that a person names', () => {
  it.each([
    ['in the version that its group prefers', 'saw', 'v2', 'Saw'],
    ['in the first version that has it', 'axes', 'v1', 'Axe'],
    ['in the last one', 'awls', 'v1beta1', 'Awl'],
    ['with its group', 'awls.tools.example.com', 'v1beta1', 'Awl'],
  ])('is found %s', async (_, said, version, kind) => {
    const found = resource(`tools.example.com/${version}`, kind);
    expect(await resourceNamed(serverOf(tools), said)).toEqual(found);
    expect(await resourceNamed(serverOf({ ...broken, ...tools }), said)).toEqual(found);
  });

  it('is asked of each group once where it is in a preferred version', async () => {
    const server = serverOf({ ...tools, 'other.example.com': { v1: [], v1beta1: [] } });
    await resourceNamed(server, 'saw');
    expect(server.asked).toEqual(['/apis', '/apis/tools.example.com/v2', '/apis/other.example.com/v1']);
  });

  it('may be one of two', async () => {
    const server = serverOf({ ...tools, 'more.example.com': { v2: [], v1: ['Axe'] } });
    await expect(resourceNamed(server, 'axe')).rejects.toThrow(
      '"axe" may be axes.tools.example.com, axes.more.example.com',
    );
  });

  it('is that of its group alone, where one is named', async () => {
    const server = serverOf({ ...tools, 'more.example.com': { v1: ['Axe'] } });
    expect(await resourceNamed(server, 'axe.more.example.com')).toEqual(resource('more.example.com/v1', 'Axe'));
    await expect(resourceNamed(server, 'saw.more.example.com')).rejects.toThrow(
      'the cluster has no kind of custom resource "saw.more.example.com"',
    );
  });

  it('is not there', async () => {
    await expect(resourceNamed(serverOf(tools), 'hammer')).rejects.toThrow(
      'the cluster has no kind of custom resource "hammer"',
    );
  });

  it.each(['hammer', 'hammer.broken.example.com'])('%s may be in a group that does not answer', async (said) => {
    await expect(resourceNamed(serverOf({ ...tools, ...broken }), said)).rejects.toMatchObject({
      message: `no kind "${said}" was found, and not all was looked through: broken.example.com`,
      hint: expect.stringContaining('kubectl get apiservices') as unknown,
      cause: expect.objectContaining({ message: expect.stringContaining('503') as unknown }) as unknown,
    });
  });

  it.each([null, {}, [], { kind: 'Status' }])('is not looked for in what is no list of groups: %j', async (answer) => {
    const server = { request: () => Promise.resolve(answer as unknown) };
    await expect(resourceNamed(server, 'saw')).rejects.toThrow(
      new OperatorError('/apis get failed: the server answered with no list of groups'),
    );
  });
});
