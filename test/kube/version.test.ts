import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { version } from '../../src/kube/version.js';
import { packageRoot } from '../cluster/package-root.js';

it('the version is the one of the package', () => {
  const { version: published } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(published);
});
