import { describe, expect, it } from '@jest/globals';
import { Shelf } from '../../../src/runtime/informer/shelf.js';
import { configMap } from '../an-object.js';

const names = Array.from({ length: 20 }, (_, index) => `c${index}`);

/** With room for so many at hand, and twenty objects. */
function filled(most: number): Shelf {
  const shelf = new Shelf({ most, tidy: 2 });
  for (const [index, name] of names.entries()) shelf.put(configMap(name, index + 1));
  return shelf;
}

describe.each([0, 1, 5, 100])('a shelf with %d objects at hand', (most) => {
  it('hands out what was put there, at hand or not', () => {
    const shelf = filled(most);
    expect(shelf.size).toBe(20);
    for (const [index, name] of names.entries()) {
      expect(shelf.peek(`prod/${name}`)).toEqual(configMap(name, index + 1));
      expect(shelf.get(`prod/${name}`)).toEqual(configMap(name, index + 1));
      expect(shelf.versionOf(`prod/${name}`)).toBe(String(index + 1));
    }
    expect(shelf.get('prod/unknown')).toBeUndefined();
    expect(shelf.versionOf('prod/unknown')).toBeUndefined();
  });

  it('hands out the last of what was put under a key, whenever it was packed', () => {
    const shelf = filled(most);
    shelf.put(configMap('c0', 100));
    for (const name of names.slice(1)) shelf.get(`prod/${name}`);
    expect(shelf.get('prod/c0')?.metadata.resourceVersion).toBe('100');
    expect(shelf.size).toBe(20);
  });

  it('forgets what is deleted', () => {
    const shelf = filled(most);
    shelf.delete('prod/c0');
    shelf.delete('prod/c19');
    expect(shelf.get('prod/c0')).toBeUndefined();
    expect(shelf.get('prod/c19')).toBeUndefined();
    expect([...shelf.keys()]).toEqual(names.slice(1, -1).map((name) => `prod/${name}`));
  });

  it('takes over what another one has', () => {
    const [from, shelf] = [filled(most), new Shelf({ most: 3, tidy: 3 })];
    for (const key of from.keys()) shelf.take(key, from);
    expect([...shelf.keys()].map((key) => shelf.get(key))).toEqual(
      names.map((name, index) => configMap(name, index + 1)),
    );
  });
});

describe.each([0, 3, 100])('a shelf that has an earlier state, %d of them at hand,', (most) => {
  it.each([0, 3, 100])('has what it took over, of which %d were at hand', (mostThere) => {
    const [shelf, from] = [new Shelf({ most, tidy: 0 }), new Shelf({ most: mostThere, tidy: 0 })];
    for (const name of names) shelf.put(configMap(name, 1));
    for (const name of names) from.put(configMap(name, 2));
    for (const key of from.keys()) shelf.take(key, from);
    for (const key of [...from.keys()]) {
      expect(shelf.versionOf(key)).toBe('2');
      expect(shelf.peek(key)).toEqual(from.peek(key));
      expect(shelf.get(key)).toEqual(from.peek(key));
    }
  });
});

describe('a shelf', () => {
  it('makes room for whoever looks at many at once, until somebody tidies up', () => {
    const shelf = filled(5);
    const keys = [...shelf.keys()];
    const all = shelf.getAll(keys);
    expect(shelf.getAll(keys).every((object, index) => object === all[index])).toBe(true);
    shelf.tidy();
    expect(shelf.getAll(keys)[0]).not.toBe(all[0]);
    expect(shelf.getAll([...keys, 'prod/unknown'])).toEqual(all);
  });

  it('keeps what is nested as deeply as an API server takes it, whether it can be packed or not', () => {
    const shelf = filled(1);
    const levels = 9000;
    let nested: Nested = {};
    for (let level = 0; level < levels; level++) nested = { nested };
    shelf.put({ ...configMap('deep', 7), data: nested } as never);
    for (const name of names) shelf.get(`prod/${name}`);
    shelf.tidy();
    expect(depthOf(shelf.peek('prod/deep'))).toBe(levels);
    expect(shelf.versionOf('prod/deep')).toBe('7');
    const other = new Shelf({ most: 1, tidy: 1 });
    other.take('prod/deep', shelf);
    expect(depthOf(other.get('prod/deep'))).toBe(levels);
  });

  it('has little at hand once somebody has tidied up', () => {
    const shelf = filled(10);
    const [first, last] = ['prod/c18', 'prod/c10'].map((key) => shelf.peek(key));
    expect(shelf.isUntidy).toBe(true);
    shelf.tidy();
    expect(shelf.isUntidy).toBe(false);
    expect(shelf.peek('prod/c18')).toBe(first);
    expect(shelf.peek('prod/c10')).not.toBe(last);
    expect(shelf.peek('prod/c10')).toEqual(last);
  });

  it('hands out the same value as long as it is at hand, whoever peeks', () => {
    const shelf = filled(5);
    const first = shelf.get('prod/c0');
    for (const name of names) shelf.peek(`prod/${name}`);
    for (const name of names.slice(1, 5)) shelf.get(`prod/${name}`);
    expect(shelf.get('prod/c0')).toBe(first);
  });
});

interface Nested {
  readonly nested?: Nested;
}

/** Whatever compares it as a whole, or shows it, ends for want of a stack. */
function depthOf(object: object | undefined): number {
  let { data } = object as { readonly data?: Nested };
  let depth = 0;
  for (; data?.nested; data = data.nested) depth++;
  return depth;
}
