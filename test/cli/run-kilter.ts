import { kilter } from '../../src/cli/kilter.js';

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process. */
export async function runKilter(
  args: readonly string[],
  { stdin = '', colors = false }: { readonly stdin?: string; readonly colors?: boolean } = {},
): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const exitCode = await kilter(args, {
    write: (text) => {
      stdout += text;
    },
    log: (text) => {
      stderr += text;
    },
    read: () => Promise.resolve(stdin),
    interrupted: () => AbortSignal.abort(),
    colors,
  });
  return { exitCode, stdout, stderr };
}
