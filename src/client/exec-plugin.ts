import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Clock, othersTurn } from '../kube/clock.js';
import type { Environment } from '../kube/environment.js';
import { OperatorError } from '../kube/errors.js';
import type { ClusterInfo } from './cluster-info.js';
import { type Fields, fieldsOf, text } from './kubeconfig-files.js';

/** What a plugin gave: a token, a client certificate, or both. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since the epoch. Absent: good until it is refused. */
  readonly expiresAt: number | undefined;
}

/** False once it has expired. */
export function isGood({ expiresAt }: ExecCredential, clock: Clock): boolean {
  return expiresAt === undefined || clock.now() < expiresAt;
}

/** As much of a plugin's complaint as an error shows. */
const shownCharacters = 1000;
/** And as much as is kept of it, with the space around it. */
const keptCharacters = 10_000;

/**
 * Runs the `exec` of a kubeconfig's user, which is ended when `signal` aborts, five seconds later by force. A plugin that may ask
 * the person has the terminal, where there is one.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 *
 * `cluster` is what it is told of the cluster, if it asks for that.
 *
 * Throws `OperatorError` when there is no such program, it fails, or prints no credential. No error holds what it printed
 * on its standard output.
 */
export async function runExecPlugin(
  exec: Fields,
  {
    environment,
    signal,
    clock,
    cluster,
  }: {
    readonly environment: Environment;
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly cluster?: ClusterInfo | undefined;
  },
): Promise<ExecCredential> {
  const command = text(exec['command']);
  if (command === undefined) {
    throw new OperatorError('the kubeconfig names no command of the plugin', { hint: 'give the user exec.command' });
  }
  const mode = exec['interactiveMode'] ?? 'IfAvailable';
  const hasTerminal = process.stdin.isTTY === true;
  if (mode === 'Always' && !hasTerminal) {
    throw new OperatorError(`plugin "${command}" has to ask a person, and there is no terminal`);
  }
  const interactive = mode !== 'Never' && hasTerminal;
  const spec = { ...(cluster && { cluster }), interactive };
  const info = { apiVersion: exec['apiVersion'], kind: 'ExecCredential', spec };
  const env = { ...environment, ...variablesOf(exec['env']), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const args = listOf(exec['args']).map(String);
  // It may have aborted while the kubeconfig was read, and then tells nobody any more.
  signal.throwIfAborted();
  const ended = await run(command, args, { env, interactive, signal, clock }).catch((error: NodeJS.ErrnoException) => {
    if (error === signal.reason) throw error;
    // The error itself holds the arguments, among which may be secrets, and so do its words where Node does not take one.
    const why =
      error.code === 'ERR_INVALID_ARG_VALUE' ? `plugin "${command}" cannot be given what is not text` : error.message;
    const problem = error.code === 'ENOENT' ? `there is no plugin "${command}"` : why;
    throw new OperatorError(problem, { hint: text(exec['installHint']) });
  });
  const { code, output, complaint } = ended;
  if (code !== 0) {
    const why = complaint.trim().slice(-shownCharacters);
    throw new OperatorError(`plugin "${command}" ended with ${code}${why && `: ${why}`}`);
  }
  const credential = credentialIn(output);
  if (!credential) throw new OperatorError(`plugin "${command}" printed no ExecCredential with a token or certificate`);
  return credential;
}

interface Ended {
  /** What it ended with, or the signal that ended it. */
  readonly code: number | string;
  readonly output: string;
  readonly complaint: string;
}

/** So long has a plugin to end when it is asked to, before it is ended by force. */
const graceMilliseconds = 5000;

/**
 * Runs a program to its end, and to that of its output. What it leaves behind may hold its standard error open for as long as it
 * likes, as the browser does in which a person has logged in: that is read on, so that it may go on writing, and is waited for by nobody.
 */
function run(
  command: string,
  args: readonly string[],
  { env, interactive, signal, clock }: { env: Environment; interactive: boolean; signal: AbortSignal; clock: Clock },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'] });
    const end = () => child.kill();
    // Whoever is asked by it would be asked for nothing, and may be kept from the terminal.
    process.once('exit', end);
    let spare = () => {};
    const stop = () => {
      end();
      // One that does not mind would be there for good, and the next one beside it.
      spare = clock.after(graceMilliseconds, () => child.kill('SIGKILL'));
      // What the program started may hold them open, and must not keep this process alive.
      child.stdout?.destroy();
      child.stderr?.destroy();
      reject(signal.reason);
    };
    let [output, complaint] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      complaint = (complaint + part).slice(-keptCharacters);
      if (interactive) process.stderr.write(part);
    });
    child.on('error', (error) => {
      process.off('exit', end);
      reject(error);
    });
    const ended = async (code: number | string) => {
      process.off('exit', end);
      signal.removeEventListener('abort', stop);
      // What it said last is in the pipe by now, and read within one round of the event loop.
      for (let rounds = 0; rounds < 2; rounds++) await othersTurn();
      (child.stderr as Socket | null)?.unref();
      resolve({ code, output, complaint });
    };
    child.once('exit', (code, by) => {
      spare();
      const tell = () => void ended(code ?? by ?? 1);
      if (child.stdout?.closed) tell();
      else child.stdout?.once('close', tell);
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

function credentialIn(output: string): ExecCredential | undefined {
  let printed: unknown;
  try {
    printed = JSON.parse(output);
  } catch {
    // What the parser says of it quotes it.
    return undefined;
  }
  const status = fieldsOf(fieldsOf(printed)['status']);
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((name) => text(status[name]));
  if (token === undefined && (cert === undefined || key === undefined)) return undefined;
  const expiresAt = Date.parse(text(status['expirationTimestamp']) ?? '');
  return { token, cert, key, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
}

function variablesOf(env: unknown): Environment {
  return Object.fromEntries(
    listOf(env)
      .map(fieldsOf)
      .map(({ name, value }) => [String(name), String(value ?? '')]),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
