import { describe, expect, it } from '@jest/globals';
import { ObjectTable } from '../../src/embedded/object-table.js';
import type { KubeObject } from '../../src/kube/manifest.js';

function object(path: string, version = '1'): KubeObject {
  const [name = '', namespace] = path.split('/').reverse();
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), uid: path, resourceVersion: version };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}
const shown = (objects: readonly KubeObject[]) =>
  objects.map(({ metadata: { namespace, name } }) => (namespace === undefined ? name : `${namespace}/${name}`));

/** Names around the slash, which divides the keys: `-` and `.` are before it, digits after. */
const paths = ['a/x', 'a-b/x', 'a.b/x', 'a0/x', 'a/b', 'b/x', 'a/x-1', 'a-b/a', 'ab/x'];

describe('a table of objects', () => {
  it('lists a namespace, and no other that begins as it does', () => {
    const table = new ObjectTable();
    for (const path of paths) table.set(object(path));
    expect(shown(table.list('a'))).toEqual(['a/b', 'a/x', 'a/x-1']);
    expect(shown(table.list('a-b'))).toEqual(['a-b/a', 'a-b/x']);
    expect(shown(table.list('c'))).toEqual([]);
    expect(shown(table.list(undefined))).toEqual([...paths].sort());
  });

  it('keeps the order of what comes and goes after somebody asked', () => {
    const table = new ObjectTable();
    const is = new Set<string>();
    for (const path of [...paths, ...paths.slice(3), ...paths.slice(0, 6).reverse()]) {
      if (is.delete(path)) expect(table.delete(object(path))?.metadata.uid).toBe(path);
      else {
        is.add(path);
        expect(table.set(object(path))).toBeUndefined();
      }
      expect(shown(table.list(undefined))).toEqual([...is].sort());
    }
    expect(table.delete(object('nobody/x'))).toBeUndefined();
  });

  it('has what was set last, and tells what was before', () => {
    const table = new ObjectTable();
    table.set(object('node'));
    table.list(undefined);
    expect(table.set(object('node', '2'))?.metadata.resourceVersion).toBe('1');
    expect(table.list(undefined).map(({ metadata }) => metadata.resourceVersion)).toEqual(['2']);
    expect(table.get(undefined, 'node')?.metadata.resourceVersion).toBe('2');
    expect(table.get('a', 'node')).toBeUndefined();
  });
});
