import { describe, expect, it } from '@jest/globals';
import { runBundled } from './run-bundled.js';

const told = (v8: string | undefined): Promise<string> =>
  runBundled(
    `import './src/runtime/process/quick-compilers.ts'; import { optimizeLate, optimizeNow } from './src/runtime/process/optimize-late.ts'; optimizeLate(${JSON.stringify(v8)}); optimizeNow(${JSON.stringify(v8)});`,
  );

describe('a V8 that is to optimize late, and then at once', () => {
  it('takes what it is told without a word', async () => {
    expect(await told(undefined)).toBe('');
  });

  it.each(['12.4.254.21-node.57', '13.6.233.17-node.50'])('is left as it comes: %s', async (v8) => {
    expect(await told(v8)).toBe('');
  });
});
