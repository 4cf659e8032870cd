import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { OperatorError } from '../kube/errors.js';

export type Fields = Readonly<Record<string, unknown>>;

/** What one kubeconfig says, or several together. Of each name there is one entry, and paths in it are absolute. */
export interface Kubeconfig {
  /** The files that it was read from. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, Fields>;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
}

/** What is text, in each list. Without quotes a token of digits is a number, and it would be as if there were none. */
const texts: Readonly<Record<string, readonly string[]>> = {
  contexts: ['cluster', 'user', 'namespace'],
  clusters: ['server', 'certificate-authority', 'certificate-authority-data', 'tls-server-name', 'proxy-url'],
  users: [
    ...['token', 'tokenFile', 'username', 'password'],
    ...['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'],
  ],
};

const hint = 'name another file with --kubeconfig or KUBECONFIG';

/** The files that `KUBECONFIG` names. */
export function namedIn(list: string): readonly string[] {
  return list.split(delimiter).filter((path) => path !== '');
}

/** Where kubectl looks when nobody names a file. `ofUser` says where the home of this user is, and throws where this machine does not know him. */
export function defaultKubeconfig(home: string | undefined, ofUser: () => string = homedir): string {
  try {
    return join(home || ofUser(), '.kube', 'config');
  } catch {
    // As in a container whose user is a number that nobody gave a name. To kubectl nothing is where it is then.
    return join('.kube', 'config');
  }
}

/** One file, which must be there. Throws `OperatorError` when it is not, or is no kubeconfig. */
export async function readKubeconfig(path: string): Promise<Kubeconfig> {
  return await kubeconfigIn(path, await contentOf(path));
}

/**
 * Several files, in order: the first to name something wins, and one that is not there is skipped.
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/#merging-kubeconfig-files
 *
 * Throws `OperatorError` when none of them is there, or one is no kubeconfig.
 */
export async function readKubeconfigs(paths: readonly string[]): Promise<Kubeconfig> {
  const there: Kubeconfig[] = [];
  for (const path of paths) {
    const content = await contentOf(path).catch((error: Error) => {
      if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') throw error;
    });
    if (content !== undefined) there.push(await kubeconfigIn(path, content));
  }
  if (there.length === 0) {
    const missing = paths.length === 0 ? ': KUBECONFIG names no file' : ` ${paths.join(', ')}`;
    throw new OperatorError(`there is no kubeconfig${missing}`, { hint });
  }
  return there.reduce((first, second) => ({
    files: [...first.files, ...second.files],
    currentContext: first.currentContext ?? second.currentContext,
    contexts: new Map([...second.contexts, ...first.contexts]),
    clusters: new Map([...second.clusters, ...first.clusters]),
    users: new Map([...second.users, ...first.users]),
  }));
}

/** A text with something in it. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new OperatorError(`reading kubeconfig ${path} failed: ${(cause as Error).message}`, { cause, hint });
  }
}

async function kubeconfigIn(path: string, content: string): Promise<Kubeconfig> {
  const file = await parsed(path, content);
  const folder = dirname(resolve(path));
  const at = (value: unknown) => (text(value) === undefined ? value : resolve(folder, value as string));
  return {
    files: [path],
    currentContext: textIn(path, file, 'current-context', 'it'),
    contexts: entriesOf(path, file, 'contexts', 'context'),
    clusters: mapped(entriesOf(path, file, 'clusters', 'cluster'), (cluster) =>
      withPaths(cluster, ['certificate-authority'], at),
    ),
    users: mapped(entriesOf(path, file, 'users', 'user'), (user) => {
      const absolute = withPaths(user, ['client-certificate', 'client-key', 'tokenFile'], at);
      const exec = fieldsOf(user['exec']);
      // A command without a separator is looked for in PATH.
      const isPath = text(exec['command'])?.includes(sep);
      return isPath ? { ...absolute, exec: { ...exec, command: at(exec['command']) } } : absolute;
    }),
  };
}

async function parsed(path: string, content: string): Promise<Fields> {
  const { yamlIn } = await import('./kubeconfig-text.js');
  const file = yamlIn(content);
  if ('fault' in file) throw new OperatorError(`reading kubeconfig ${path} failed: ${file.fault}`, { hint });
  // An empty file is an empty kubeconfig, as with kubectl.
  if (file.value !== null && (typeof file.value !== 'object' || Array.isArray(file.value))) {
    throw new OperatorError(`reading kubeconfig ${path} failed: it is no kubeconfig`, { hint });
  }
  return fieldsOf(file.value);
}

function entriesOf(path: string, file: Fields, list: string, field: string): Map<string, Fields> {
  const entries = new Map<string, Fields>();
  const all = file[list];
  for (const entry of Array.isArray(all) ? all.map(fieldsOf) : []) {
    const name = textIn(path, entry, 'name', list);
    if (name === undefined) continue;
    if (entries.has(name)) {
      throw new OperatorError(`reading kubeconfig ${path} failed: "${name}" is twice in ${list}`, { hint });
    }
    const fields = fieldsOf(entry[field]);
    for (const each of texts[list] ?? []) textIn(path, fields, each, `${field} "${name}"`);
    entries.set(name, fields);
  }
  return entries;
}

/** The text of a field. Throws `OperatorError` for what is none, which it does not show: kubectl refuses it, too. */
function textIn(path: string, fields: Fields, field: string, of: string): string | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined || typeof value === 'string') return text(value);
  throw new OperatorError(`reading kubeconfig ${path} failed: "${field}" of ${of} is no text`, {
    hint: 'put it in quotes',
  });
}

/** With absolute paths, and without those whose content is there itself, which wins. */
function withPaths(fields: Fields, names: readonly string[], at: (value: unknown) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !names.includes(name) || text(fields[`${name}-data`]) === undefined)
      .map(([name, value]) => [name, names.includes(name) ? at(value) : value]),
  );
}

function mapped(entries: ReadonlyMap<string, Fields>, change: (fields: Fields) => Fields): Map<string, Fields> {
  return new Map([...entries].map(([name, fields]) => [name, change(fields)]));
}
