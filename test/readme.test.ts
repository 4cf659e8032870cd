import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { memcached } from '../src/operators/memcached.js';
import { packageRoot } from './cluster/package-root.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');
const readme = read('README.md');
const [operatorBlock = '', testBlock = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);

describe('the README', () => {
  it('shows an operator that is shipped, to the letter', () => {
    const shipped = read('src/operators/memcached.ts')
      .replace("'../../imports/k8s.js'", "'kilter/imports/k8s'")
      .replace("'../index.js'", "'kilter'");
    expect(operatorBlock).toBe(shipped);
  });

  it('tells the truth about testing one', () => {
    expect(testBlock).toContain(
      "memcached.desired({ metadata: { name: 'cache', namespace: 'prod' }, spec: { size: 3 } })",
    );
    const [server] = memcached.desired({ metadata: { name: 'cache', namespace: 'prod' }, spec: { size: 3 } });
    expect(server?.metadata.name).toBe('cache-server');
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm (?:run )?(\w[\w:]*)/g)]
      .map(([, name]) => name)
      .filter((name) => name !== 'ci');
    expect(named.filter((name) => scripts[name as string] === undefined)).toEqual([]);
  });

  it('links only to files that there are', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path as string);
    for (const link of links) expect(() => readFileSync(join(packageRoot, link))).not.toThrow(/ENOENT/);
  });
});
