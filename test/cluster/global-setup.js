import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Jest's hook before all suites. Jest loads it without the transform that its suites get, so it is plain JavaScript and
 * compiles `prepare.ts`, which does the work, on the spot.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for one.
export default async function globalSetup(globalConfig) {
  const { rootDir, testPathPatterns } = globalConfig;
  const compiled = join(rootDir, `build/prepare-${process.pid}.mjs`);
  mkdirSync(join(rootDir, 'build'), { recursive: true });
  try {
    const entryPoints = [join(import.meta.dirname, 'prepare.ts')];
    await build({
      entryPoints,
      outfile: compiled,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    const { prepare } = await import(pathToFileURL(compiled).href);
    const patterns = testPathPatterns.toExecutor({ rootDir });
    await prepare((path) => patterns.isMatch(path));
  } finally {
    rmSync(compiled, { force: true });
  }
}
