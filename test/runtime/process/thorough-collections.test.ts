import { describe, expect, it } from '@jest/globals';
import { v8Major } from '../../../src/runtime/process/engine-version.js';
import { runBundled } from './run-bundled.js';

/** Of functions that were called once and are kept: KiB of what V8 compiled for them before and after a rest, and whether they still work. */
const story = (thorough: string): string => `
  import { getHeapCodeStatistics } from 'node:v8';
  import { runInThisContext } from 'node:vm';
  ${thorough}
  import { processHeap } from './src/runtime/process/give-back-memory.ts';

  const compiled = () => {
    const { bytecode_and_metadata_size, code_and_metadata_size } = getHeapCodeStatistics();
    return { bytecode: bytecode_and_metadata_size >> 10, code: code_and_metadata_size >> 10 };
  };
  const before = compiled();
  const made = Array.from({ length: 3000 }, (_, n) => '(a) => a + ' + n + ' + a * ' + n + ' + (a % 3 ? ' + n + ' : -a)');
  const functions = runInThisContext('[' + made.join(',') + ']');
  const said = () => functions.reduce((sum, each) => sum + each(4), 0);
  const first = said();
  const burst = compiled();
  for (let time = 0; time < 3; time++) processHeap().collect();
  const rest = compiled();
  console.log(JSON.stringify({ before, burst, rest, isAsBefore: said() === first }));
`;
const whileAlwaysCompiled = ['--always-sparkplug'];

interface Told {
  readonly before: Compiled;
  readonly burst: Compiled;
  readonly rest: Compiled;
  readonly isAsBefore: boolean;
}
type Compiled = Readonly<Record<'bytecode' | 'code', number>>;

async function told(thorough: string): Promise<Told> {
  return JSON.parse(await runBundled(story(thorough), whileAlwaysCompiled)) as Told;
}

const loaded = "import './src/runtime/process/thorough-collections.ts';";

describe('a process that rests', () => {
  it('is rid of what was compiled from Node 22 on, and compiles it again', async () => {
    const { before, burst, rest, isAsBefore } = await told(loaded);
    expect(burst.bytecode).toBeGreaterThan(before.bytecode + 300);
    expect(burst.code).toBeGreaterThan(before.code + 300);
    const isOfNode20 = v8Major() < 12;
    expect(rest.bytecode < before.bytecode + 100).toBe(!isOfNode20);
    expect(rest.code < before.code + 100).toBe(!isOfNode20);
    expect(isAsBefore).toBe(true);
  });

  it('keeps it where nobody asked for more', async () => {
    const { before, rest } = await told('');
    expect(rest.code).toBeGreaterThan(before.code + 300);
  });

  it('takes what it is told without a word', async () => {
    expect(await runBundled(loaded)).toBe('');
  });
});
