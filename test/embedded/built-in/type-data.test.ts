import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { packageRoot } from '../../cluster/package-root.js';
import { generateData } from './generate-data.js';
import { readGoTypes } from './go-types.js';

const path = join(packageRoot, 'src/embedded/built-in/type-data.ts');

onRealCluster('the data of the built-in kinds', {}, (plane) => {
  it('is made of this API server and its Go types, to the byte', async () => {
    const go = readGoTypes();
    if (go === undefined) {
      process.stderr.write('not compared, for want of Go: src/embedded/built-in/type-data.ts\n');
      return;
    }
    const get = async (url: string): Promise<unknown> =>
      JSON.parse((await plane().kubectl(['get', '--raw', url])).stdout);
    const made = await generateData(get, go);
    if (process.env['UPDATE_GOLDEN']) writeFileSync(path, made);
    expect(made).toBe(readFileSync(path, 'utf8'));
  }, 300_000);
});
