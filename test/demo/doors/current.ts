import { createInterface } from 'node:readline/promises';
import { kubeConfig } from '../../../src/client/kube-config.js';
import { OperatorError } from '../../../src/kube/errors.js';
import type { Door } from '../story-cluster.js';

/**
 * The cluster of the current context of the user's kubeconfig, once the user has agreed to it. Undefined when the answer
 * was no.
 *
 * Throws `OperatorError` where nobody can be asked, unless `yes`.
 */
export async function current({ yes }: { readonly yes: boolean }): Promise<Door | undefined> {
  const config = await kubeConfig({ environment: process.env });
  const { context = '' } = config;
  const named = `the context "${context}" (${config.server})`;
  if (!yes && !(await isAgreed(`${named}, namespace "${config.namespace}"`))) return undefined;
  return {
    title: `Connecting to ${context}`,
    open: async () => ({
      where: `in the context "${context}", at ${config.server}`,
      config,
      setup: [],
      close: () => Promise.resolve(),
    }),
  };
}

async function isAgreed(named: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(`nothing was done: this would install into ${named}, and nobody is there to be asked`, {
      hint: 'pass --yes where that is meant',
    });
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D are answers too.
  const stop = new AbortController();
  lines.once('SIGINT', () => stop.abort()).once('close', () => stop.abort());
  try {
    const answer = await lines.question(
      `This installs the Memcached operator into ${named},\nand takes it away again at the end. Go on? [y/N] `,
      { signal: stop.signal },
    );
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return false;
  } finally {
    lines.close();
  }
}
