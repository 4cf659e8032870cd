import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { ClusterConfig, TlsOptions } from './cluster-config.js';

type Fields = Readonly<Record<string, unknown>>;

/** What needs nobody to be asked and no other file to be read. */
const plain = {
  cluster: ['server', 'certificate-authority-data', 'insecure-skip-tls-verify', 'tls-server-name', 'extensions'],
  user: ['token', 'client-certificate-data', 'client-key-data', 'extensions'],
};

/**
 * A context of a kubeconfig that holds its credentials itself, as those of kind, k3d, minikube with embedded certificates
 * and the embedded API server do. Undefined for any other, and for a file that is none: the library tells of those, and
 * takes a second to load.
 */
export async function plainKubeconfig(path: string, context?: string): Promise<ClusterConfig | undefined> {
  const file = fieldsOf(await readFile(path, 'utf8').then(parse).catch(nothing));
  const name = context ?? text(file['current-context']);
  const chosen = named(file['contexts'], name, 'context');
  const cluster = chosen && named(file['clusters'], text(chosen['cluster']), 'cluster');
  const user = chosen && named(file['users'], text(chosen['user']), 'user');
  const server = text(cluster?.['server']);
  if (!name || !cluster || !user || !server) return undefined;
  if (!holdsOnly(cluster, plain.cluster) || !holdsOnly(user, plain.user)) return undefined;

  const ca = decoded(cluster['certificate-authority-data']);
  const cert = decoded(user['client-certificate-data']);
  const key = decoded(user['client-key-data']);
  const servername = text(cluster['tls-server-name']);
  const tls: TlsOptions = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { rejectUnauthorized: false } : {}),
  };
  const token = text(user['token']);
  return {
    server,
    namespace: text(chosen['namespace']) ?? 'default',
    tls: async () => tls,
    authorization: async () => (token === undefined ? undefined : `Bearer ${token}`),
    context: name,
  };
}

function nothing(): undefined {
  return undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What is there under a name, and once: of two the library decides. */
function named(list: unknown, name: string | undefined, field: 'context' | 'cluster' | 'user'): Fields | undefined {
  const all = (Array.isArray(list) ? list : []).map(fieldsOf).filter((entry) => entry['name'] === name);
  return name !== undefined && all.length === 1 ? fieldsOf(all[0]?.[field]) : undefined;
}

function holdsOnly(fields: Fields, known: readonly string[]): boolean {
  return Object.keys(fields).every((field) => known.includes(field));
}

function decoded(value: unknown): string | undefined {
  const base64 = text(value);
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}
