import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { toYaml } from '../../src/gitops/yaml.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { packageRoot } from '../cluster/package-root.js';

/**
 * Holds manifests to the golden file `<situation>.yaml`, which is what a person reviews.
 *
 * With UPDATE_GOLDEN=1 the file is written instead. In CI nothing is written, so that a file that was forgotten fails.
 */
export function expectGolden(situation: string, manifests: readonly Manifest[]): void {
  const file = join(packageRoot, 'test/golden', `${situation}.yaml`);
  const text = manifests.map(toYaml).join('');
  if (process.env['UPDATE_GOLDEN'] === '1' && process.env['CI'] === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(existsSync(file) ? readFileSync(file, 'utf8') : `no ${situation}.yaml: run with UPDATE_GOLDEN=1`).toBe(text);
}
