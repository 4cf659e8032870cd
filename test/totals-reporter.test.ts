import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packageRoot } from './cluster/package-root.js';

const suites = {
  'mixed.test.cjs': `
    test('passes', () => {});
    test('passes too', () => {});
    test('fails', () => { throw new Error('as it should'); });
    test.skip('is skipped', () => {});
    test.todo('is to be done');`,
  'more.test.cjs': "test('passes', () => {});",
  'unloadable.test.cjs': "throw new Error('no test is ever defined');",
};

describe('the sum over all suites', () => {
  let folder: string;
  beforeEach(() => {
    mkdirSync(join(packageRoot, 'build'), { recursive: true });
    folder = mkdtempSync(join(packageRoot, 'build/totals-'));
    for (const [name, text] of Object.entries(suites)) writeFileSync(join(folder, name), text);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What a run of these suites says, in the order in which it says it. */
  const runJest = (environment: NodeJS.ProcessEnv = {}) => {
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.cjs'],
      moduleFileExtensions: ['js', 'cjs'],
      transform: {},
      reporters: ['default', join(packageRoot, 'test/totals-reporter.js')],
    };
    const args = [join(packageRoot, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config)];
    const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
    return new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
  };

  it('is the last line, and counts a suite that cannot be loaded as a failure', async () => {
    expect((await runJest()).split('\n').slice(-2)).toEqual(['3 passed, 2 failed, 2 skipped', '']);
  });

  it('goes into a file for a caller that names one', async () => {
    const file = join(folder, 'deep/totals.txt');
    expect(await runJest({ TEST_TOTALS: file })).not.toContain('3 passed, 2 failed');
    expect(readFileSync(file, 'utf8')).toBe('3 passed, 2 failed, 2 skipped\n');
  });
});
