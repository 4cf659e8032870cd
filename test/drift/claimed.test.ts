import { describe, expect, it } from '@jest/globals';
import { claimedEntries, inTheWay, leftOverIn, sameKeyIn, shareCause } from '../../src/drift/claimed.js';
import { entry, fieldsOf, stored } from './an-object.js';

const manifest = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } };
const v1 = { apiVersion: 'v1' };
const port = (number: number) => `f:spec f:ports k:{"port":${number}}`;
const trail = (path: string) => path.split(' ');

describe('taking over what others added', () => {
  it('moves it, with all that is in it, from all others into our Apply entry', () => {
    const object = stored(manifest, [
      entry('us', 'Apply', [`${port(80)} f:port`], v1),
      entry('them', 'Update', [`${port(81)} .`, `${port(81)} f:port`, 'f:spec f:other'], v1),
      entry('those', 'Apply', [`${port(81)} f:port`], v1),
    ]);
    const [ours, theirs, ...rest] = claimedEntries(object, 'us', [trail(port(81))]) ?? [];
    expect(ours?.fieldsV1).toEqual(fieldsOf([`${port(80)} f:port`, `${port(81)} .`, `${port(81)} f:port`]));
    expect(theirs?.fieldsV1).toEqual(fieldsOf(['f:spec f:other']));
    expect(rest).toEqual([]);
  });

  it('leaves subresources and other versions alone', () => {
    const others = [
      entry('them', 'Update', ['f:spec f:a'], { ...v1, subresource: 'scale' }),
      entry('them', 'Update', ['f:spec f:a'], { apiVersion: 'v2' }),
    ];
    const object = stored(manifest, [entry('us', 'Apply', ['f:spec f:b'], v1), ...others]);
    expect(claimedEntries(object, 'us', [['f:spec', 'f:a']])?.slice(1)).toEqual(others);
  });

  it('takes from whoever else applied it that alone', () => {
    const object = stored(manifest, [
      entry('us', 'Apply', ['f:spec f:b'], v1),
      entry('those', 'Apply', ['f:spec f:a', 'f:spec f:kept'], v1),
    ]);
    expect(claimedEntries(object, 'us', [['f:spec', 'f:a']])).toEqual([
      entry('us', 'Apply', ['f:spec f:b', 'f:spec f:a'], v1),
      entry('those', 'Apply', ['f:spec f:kept'], v1),
    ]);
  });

  it('leaves what was written under our name to the status as it is', () => {
    const status = entry('us', 'Apply', ['f:status f:a'], { ...v1, subresource: 'status' });
    const object = stored(manifest, [
      status,
      entry('us', 'Apply', ['f:spec f:b'], v1),
      entry('them', 'Update', ['f:spec f:a'], v1),
    ]);
    expect(claimedEntries(object, 'us', [['f:spec', 'f:a']])).toEqual([
      entry('us', 'Apply', ['f:spec f:b', 'f:spec f:a'], v1),
      status,
    ]);
  });

  it('makes an Apply entry of the one that our POST left', () => {
    const object = stored(manifest, [
      entry('us', 'Update', ['f:spec f:b'], v1),
      entry('them', 'Update', ['f:spec f:a'], v1),
    ]);
    expect(claimedEntries(object, 'us', [['f:spec', 'f:a']])).toEqual([
      { ...entry('us', 'Apply', ['f:spec f:b', 'f:spec f:a']), ...v1 },
    ]);
  });

  it('makes one where we have none', () => {
    const object = stored(manifest, [entry('them', 'Update', ['f:spec f:a'], v1)]);
    expect(claimedEntries(object, 'us', [['f:spec', 'f:a']])).toEqual([
      {
        manager: 'us',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: fieldsOf(['f:spec f:a']),
      },
    ]);
  });

  it('changes nothing when there is nothing to take', () => {
    expect(claimedEntries(stored(manifest, [entry('us', 'Apply', ['f:spec f:b'])]), 'us', [])).toBeUndefined();
  });
});

describe('what is in the way', () => {
  const added = [port(81), 'f:spec f:strategy f:rollingUpdate', 'f:spec f:paused'].map((path) => ({
    trail: trail(path),
  }));
  it.each<[string, readonly number[]]>([
    ['spec.ports[0].name', [0]],
    ['spec.ports[1]', [0]],
    ['spec.strategy.rollingUpdate', [1]],
    ['spec.strategy', []],
    ['spec', []],
    ['spec.pausedUntil', []],
  ])('of what the server refuses at %s is what was added there', (field, found) => {
    expect(inTheWay(added, [field], manifest)).toEqual(found.map((index) => added[index]));
  });

  const volume = (name: string) => `f:spec f:volumes k:{"name":"${name}"} f:emptyDir`;
  const beside = [volume('a'), volume('b'), 'f:spec f:paused'].map((path) => ({ trail: trail(path) }));
  const volumes = [{ name: 'a', configMap: { name: 'x' } }, { name: 'b' }];
  it.each<[string, string, readonly number[]]>([
    ['v1', 'spec.volumes[0].configMap', [0]],
    ['v1', 'spec.volumes[0].secret', []],
    ['v1', 'spec.volumes', []],
    ['v1', 'spec.volumes[0]', []],
    ['v1', 'spec.selector', []],
    ['x.example.com/v1', 'spec.volumes[1]', [0, 1]],
    ['x.example.com/v1', 'spec', []],
  ])('of %s, where the server refuses %s, is what was added beside it', (apiVersion, field, found) => {
    const desired = { ...manifest, apiVersion, spec: { volumes, selector: {} } };
    expect(inTheWay(beside, [field], desired)).toEqual(found.map((index) => beside[index]));
  });
});

describe('the same key in maps side by side', () => {
  const binary = { trail: ['f:binaryData'], observed: { a: 'AAEC', 'b.c': 'AAEC' } };
  const data = { trail: ['f:data', 'f:a'], observed: 'theirs' };
  const deep = { trail: trail('f:spec f:one f:a'), observed: '' };
  const list = { trail: trail('f:spec f:items'), observed: ['x'] };
  it.each<[string, readonly { trail: string[]; observed: unknown }[], readonly string[]]>([
    ['data[a]', [binary], ['f:binaryData f:a']],
    ['data[b.c]', [binary], ['f:binaryData f:b.c']],
    ['data[d]', [binary], []],
    ['data[a]', [data, binary], ['f:data f:a', 'f:binaryData f:a']],
    ['binaryData[a]', [data], ['f:data f:a']],
    ['spec.two[a]', [data, deep], ['f:spec f:one f:a']],
    ['spec.two.three[a]', [deep], []],
    ['other.two[a]', [deep], []],
    ['spec.two[0]', [list], []],
    ['data', [binary, data], []],
  ])('is in the way of %s', (field, additions, found) => {
    expect(sameKeyIn(additions, [field])).toEqual(found.map(trail));
  });
});

describe('what is left over', () => {
  const place = ['f:spec', 'f:strategy', 'f:rollingUpdate'];
  const whole = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } };
  const refused = 'spec.strategy.rollingUpdate';
  const shown = (owned: readonly string[], spec: object = {}, field = refused, trails: readonly string[][] = []) => {
    const object = stored({ ...manifest, spec: whole }, [entry('them', 'Update', owned)]);
    return leftOverIn(object, { ...manifest, spec }, [field], trails);
  };

  it.each<[string, ReturnType<typeof shown>, readonly string[][]]>([
    ['what nobody has and nobody desires', shown(['f:spec f:other']), [place]],
    [
      'what is about to be taken from whoever has a part of it',
      shown([place.join(' ')], {}, refused, [place]),
      [place],
    ],
    ['not what somebody has', shown([`${place.join(' ')} f:maxSurge`]), []],
    ['not what is desired', shown([], whole), []],
    ['not what is not there', shown([], {}, 'spec.strategy.other'), []],
    ['not an item of a list', shown([], {}, 'spec.strategy[0]'), []],
    ['not what the server says of an object', shown([], {}, 'metadata.name'), []],
  ])('is %s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('is what makes an item of a list another kind of thing, beside what is refused', () => {
    const volume = 'f:spec f:volumes k:{"name":"a"}';
    const desired = { ...manifest, spec: { volumes: [{ name: 'a', secret: {} }, { name: 'b' }] } };
    const spec = {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', emptyDir: {} },
      ],
    };
    const found = (ours: readonly string[]) =>
      leftOverIn(
        stored({ ...manifest, spec }, [entry('us', 'Apply', ours, v1)]),
        desired,
        ['spec.volumes[0].secret'],
        [],
      );
    const owned = [`${volume} .`, `${volume} f:name`, 'f:spec f:volumes k:{"name":"b"} f:name'];
    expect(found(owned)).toEqual([trail(`${volume} f:emptyDir`)]);
    expect(found([...owned, `${volume} f:emptyDir`])).toEqual([]);
  });

  it('becomes ours beside what we have', () => {
    const object = stored(manifest, [entry('us', 'Apply', ['f:spec f:b'], v1)]);
    expect(claimedEntries(object, 'us', [], [place])).toEqual([
      entry('us', 'Apply', ['f:spec f:b', place.join(' ')], v1),
    ]);
  });
});

describe('what the server refuses twice', () => {
  const invalid = 'FieldValueInvalid';
  const required = 'FieldValueRequired';
  it.each<[string, string, string, string, boolean]>([
    [invalid, 'spec.ports[0].nodePort', invalid, 'spec.ports[2].nodePort', true],
    [required, 'spec.ports[0].name', invalid, 'spec.ports[0].name', false],
    [invalid, 'spec.ports[0].name', invalid, 'spec.ports[0].nodePort', false],
  ])('%s of %s and %s of %s are the same: %s', (reason, field, other, place, expected) => {
    expect(
      shareCause(
        [
          { reason: 'Other', field: 'x' },
          { reason, field },
        ],
        [{ reason: other, field: place }],
      ),
    ).toBe(expected);
  });
});
