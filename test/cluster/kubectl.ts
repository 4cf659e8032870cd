import { execFile } from 'node:child_process';

export interface KubectlOptions {
  readonly stdin?: string;
  /** The path of another kubeconfig than the admin's. */
  readonly kubeconfig?: string;
  /** Resolves when kubectl fails, too. */
  readonly allowFailure?: boolean;
  /** Ends it: a watch does not end by itself. */
  readonly signal?: AbortSignal;
  /** Told all that it has said, each time that it says more. */
  readonly heard?: (stdout: string) => void;
}

export interface KubectlOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs the real kubectl. Rejects when it fails, with what it said, unless `allowFailure`. */
export type Kubectl = (args: readonly string[], options?: KubectlOptions) => Promise<KubectlOutput>;

/** The kubectl `program`, as the admin of `kubeconfig` unless a call says otherwise. */
export function kubectlOf(program: string, kubeconfig: string, environment: NodeJS.ProcessEnv): Kubectl {
  return (args, options = {}) =>
    new Promise((resolve, reject) => {
      const all = ['--kubeconfig', options.kubeconfig ?? kubeconfig, ...args];
      const { signal, heard } = options;
      const settings = { env: environment, maxBuffer: 256 * 1024 * 1024, ...(signal ? { signal } : {}) };
      const child = execFile(program, all, settings, (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        if (exitCode === 0 || options.allowFailure) resolve({ stdout, stderr, exitCode });
        else reject(new Error(`kubectl ${args.join(' ')} failed with code ${exitCode}: ${stderr.trim()}`));
      });
      let said = '';
      child.stdout?.on('data', (text: string) => {
        said += text;
        heard?.(said);
      });
      // It may end before it has read everything; what it says then is the better error.
      child.stdin?.on('error', () => {});
      child.stdin?.end(options.stdin ?? '');
    });
}
