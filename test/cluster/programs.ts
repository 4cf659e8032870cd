import { type ChildProcess, execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { auditPolicy } from './audit.js';
import { compact } from './etcd-gateway.js';
import type { Ports } from './free-ports.js';
import { end, type GuardedFolder } from './guarded-folder.js';
import { kubeconfigOf } from './kubeconfig.js';
import { ask, untilReady } from './until-ready.js';

export interface ServerOptions {
  /** An AdmissionConfiguration, for `--admission-control-config-file`. */
  readonly admissionConfig?: object;
  /** Keeps a log of every request, for `audit()`. */
  readonly audit?: boolean;
  /** Has etcd tell the API server of its progress every five seconds, as kubeadm does, and not every ten minutes. */
  readonly etcdTellsProgress?: boolean;
  /** Has the API server reach a webhook's Service by its endpoints, as where no kube-proxy runs beside it. */
  readonly routesToEndpoints?: boolean;
  /**
   * `1.33`: the API server plays that version, with the kinds and feature gates that it had, unless it is of that one or an older
   * one itself. Default: what the environment names by `KUBERNETES_EMULATED_VERSION`, and else its own.
   *
   * https://kubernetes.io/docs/concepts/cluster-administration/compatibility-version/
   */
  readonly emulatedVersion?: string;
}

export interface AnotherOptions {
  /** The way to etcd. Default: a straight one. */
  readonly etcdUrl?: string;
}

/** An API server with a memory of its own. Whoever trusts one on an etcd trusts all of them, and each takes the tokens of all. */
export interface AnotherServer {
  readonly port: number;
  readonly url: string;
  /** The path of its own audit log, where one is kept. */
  readonly auditLog: string;
  /** Begins to start it; it listens long before it is `ready`. */
  launch(): void;
  ready(): Promise<void>;
  /** Resolves when its process is gone. */
  stop(): Promise<void>;
}

/** An API server that answers, and what it takes to speak to it. */
export interface Servers {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** What the server calls itself. */
  readonly version: string;
  readonly adminToken: string;
  /** The key that signs the tokens of service accounts. */
  readonly serviceAccountKey: string;
  readonly managerToken: string;
  /** What has a program of the control plane play another version. */
  readonly versionFlags: readonly string[];
  /** Where etcd is spoken to, its gateway from JSON included. */
  readonly etcdUrl: string;
  /** One more API server on the same etcd; it is not launched yet. */
  another(options?: AnotherOptions): Promise<AnotherServer>;
  /** Ends etcd and starts it as it was started before, beneath API servers that live on. */
  restartEtcd(): Promise<void>;
  /** Has etcd forget all that was before now. What the API server holds in memory it remembers, until it is restarted. */
  compact(): Promise<void>;
  /** Ends both, and starts them as they were started before. */
  restart(): Promise<void>;
  /**
   * Makes a backup of what etcd holds, with both away meanwhile. What it resolves with restores that: then nothing has happened
   * since, and versions are given out again that were given out before.
   */
  backUp(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Starts etcd and kube-apiserver on free ports of loopback; resolves when the server says that it is ready. */
export async function startServers(
  binaries: string,
  folder: GuardedFolder,
  options: ServerOptions,
  ports: Ports,
): Promise<Servers> {
  const [etcdPort, peerPort, apiPort] = (await ports(3)) as [number, number, number];
  const url = `https://127.0.0.1:${apiPort}`;
  const [adminToken, managerToken] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccountKey = folder.write('sa.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const tokens = `${adminToken},admin,admin,"system:masters"\n${managerToken},system:kube-controller-manager,manager\n`;

  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const etcdFlags = [
    `--data-dir=${folder.file('etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    '--log-level=error',
    '--unsafe-no-fsync',
    ...(options.etcdTellsProgress ? ['--watch-progress-notify-interval=5s'] : []),
  ];
  const emulated = options.emulatedVersion ?? process.env['KUBERNETES_EMULATED_VERSION'];
  const versionFlags = emulated && playsOlder(binaries, emulated) ? [`--emulated-version=${emulated}`] : [];
  const apiFlags = (port: number, etcd: string, auditLog: string) => [
    ...versionFlags,
    `--etcd-servers=${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    // Nobody has to reach the server by its Service, and loopback is refused as an endpoint of one.
    '--endpoint-reconciler-type=none',
    // Node has no way to make a certificate, and openssl is not on every machine. The server makes its own for
    // loopback, and tokens identify everybody, so no certificate of ours, and no library for one, is needed.
    `--cert-dir=${folder.file('certificates')}`,
    `--token-auth-file=${folder.write('tokens.csv', tokens)}`,
    '--authorization-mode=Node,RBAC',
    `--service-account-key-file=${serviceAccountKey}`,
    `--service-account-signing-key-file=${serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--allow-privileged=true',
    ...(options.routesToEndpoints ? ['--enable-aggregator-routing=true'] : []),
    ...(options.admissionConfig
      ? [`--admission-control-config-file=${folder.write('admission.json', JSON.stringify(options.admissionConfig))}`]
      : []),
    ...(options.audit
      ? [
          `--audit-policy-file=${folder.write('audit-policy.json', auditPolicy)}`,
          `--audit-log-path=${folder.write(auditLog, '')}`,
          // An event is in the file before the client has the end of its answer.
          '--audit-log-mode=blocking',
          // Otherwise the file would be rotated away from under its reader at 100 MB.
          '--audit-log-maxsize=100000',
        ]
      : []),
  ];

  const certificate = folder.file('certificates/apiserver.crt');
  const startEtcd = () => folder.start('etcd', join(binaries, 'etcd'), etcdFlags);
  const startApi = (name: string, flags: readonly string[]) =>
    folder.start(name, join(binaries, 'kube-apiserver'), flags);
  const isReady = async (at: string) => {
    if (!existsSync(certificate)) return false;
    const answer = await ask(`${at}/readyz`, readFileSync(certificate, 'utf8'), adminToken);
    return answer?.status === 200;
  };
  const ownFlags = apiFlags(apiPort, etcdUrl, 'audit.log');
  const start = async () => {
    const etcd = startEtcd();
    const api = startApi('kube-apiserver', ownFlags);
    await untilReady(folder, { etcd, 'kube-apiserver': api }, () => isReady(url));
    return { etcd, api };
  };
  const another = async ({ etcdUrl: way = etcdUrl }: AnotherOptions = {}): Promise<AnotherServer> => {
    const [port] = (await ports(1)) as [number];
    const [at, name] = [`https://127.0.0.1:${port}`, `kube-apiserver-${port}`];
    const auditLog = `${name}-audit.log`;
    const flags = apiFlags(port, way, auditLog);
    let process: ChildProcess | undefined;
    return {
      port,
      url: at,
      auditLog: folder.file(auditLog),
      launch() {
        process = startApi(name, flags);
      },
      async ready() {
        if (!process) throw new Error(`${name} was not launched`);
        await untilReady(folder, { [name]: process }, () => isReady(at));
      },
      stop: () => end(process),
    };
  };
  let running = await start();
  const stop = async () => {
    await end(running.api);
    await end(running.etcd);
  };
  const between = async (deed: () => void) => {
    await stop();
    deed();
    running = await start();
  };
  // The file holds the serving certificate and the authority that signed it.
  const ca = readFileSync(certificate, 'utf8');
  const about = await ask(`${url}/version`, ca, adminToken);
  const { gitVersion: version } = JSON.parse(about?.body ?? '{}') as { readonly gitVersion: string };
  return {
    url,
    ca,
    version,
    adminToken,
    serviceAccountKey,
    managerToken,
    versionFlags,
    etcdUrl,
    another,
    async restartEtcd() {
      await end(running.etcd);
      running = { ...running, etcd: startEtcd() };
    },
    compact: () => compact(etcdUrl),
    restart: () => between(() => {}),
    async backUp() {
      const [data, backup] = [folder.file('etcd'), folder.file(`backup-${randomBytes(4).toString('hex')}`)];
      await between(() => cpSync(data, backup, { recursive: true }));
      return () =>
        between(() => {
          rmSync(data, { recursive: true });
          cpSync(backup, data, { recursive: true });
        });
    },
    stop,
  };
}

/** Whether the API server in this folder is of a later version. One before 1.31 has not heard of playing another. */
function playsOlder(binaries: string, version: string): boolean {
  const said = execFileSync(join(binaries, 'kube-apiserver'), ['--version'], { encoding: 'utf8' });
  const minorOf = (text: string) => Number(/1\.(\d+)/.exec(text)?.[1]);
  return minorOf(said) > minorOf(version);
}

/** Starts kube-controller-manager; `isReady` says when what the caller needs of it is there. */
export async function startManager(
  binaries: string,
  folder: GuardedFolder,
  { url, ca, managerToken, serviceAccountKey, versionFlags }: Servers,
  isReady: () => Promise<boolean>,
): Promise<ChildProcess> {
  const manager = folder.start('kube-controller-manager', join(binaries, 'kube-controller-manager'), [
    ...versionFlags,
    `--kubeconfig=${folder.write('manager.kubeconfig', kubeconfigOf({ url, ca, token: managerToken }))}`,
    `--service-account-private-key-file=${serviceAccountKey}`,
    `--root-ca-file=${folder.write('ca.crt', ca)}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    // It serves nothing that a test asks for.
    '--secure-port=0',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--concurrent-gc-syncs=20',
    // Nodes of tests have no kubelet that reports: unreachable ones get no Pods.
    '--node-startup-grace-period=24h',
    '--node-monitor-grace-period=24h',
  ]);
  await untilReady(folder, { 'kube-controller-manager': manager }, isReady);
  return manager;
}
