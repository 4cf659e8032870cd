import { type ChildProcess, execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEvent, auditPolicy, readAudit } from './audit.js';
import { findBinaries } from './binaries.js';
import { freePorts } from './free-ports.js';
import { end, GuardedFolder } from './guarded-folder.js';
import { kubeconfigOf } from './kubeconfig.js';
import { kubernetesVersion } from './kubernetes-version.js';

export interface ControlPlaneOptions {
  /** Runs kube-controller-manager too: garbage collection, namespaces, workloads. Pods stay Pending, for want of nodes. */
  readonly controllerManager?: boolean;
  /** An AdmissionConfiguration, for `--admission-control-config-file`. */
  readonly admissionConfig?: object;
  /** Keeps a log of every request, for `audit()`. */
  readonly audit?: boolean;
  readonly progress?: (line: string) => void;
}

export interface Kubectl {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A Kubernetes control plane of one's own, on loopback. */
export interface ControlPlane {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly adminToken: string;
  /** The path of a kubeconfig with all rights. */
  readonly kubeconfig: string;
  /** `v1.36.3`. */
  readonly version: string;
  /** The folder of kubectl and the others. */
  readonly binaries: string;
  /** The path of a kubeconfig for a ServiceAccount, which is created when it is not there. */
  serviceAccountKubeconfig(namespace: string, name: string): Promise<string>;
  serviceAccountToken(namespace: string, name: string): Promise<string>;
  /** Runs the real kubectl. Rejects when it fails, with what it said, unless `allowFailure`. */
  kubectl(
    args: readonly string[],
    options?: { readonly stdin?: string; readonly kubeconfig?: string; readonly allowFailure?: boolean },
  ): Promise<Kubectl>;
  /** What was asked of the API server so far. Needs the option `audit`. */
  audit(): Promise<AuditEvent[]>;
  /** Ends everything and leaves nothing behind. */
  stop(): Promise<void>;
}

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager where asked for, on random ports of loopback.
 *
 * **Guarantees.** Ready for requests when it resolves. Several at once do not meet. Should this process be killed, the
 * processes and their folder go with it. Throws `NoBinariesError` where there is nothing to start, and otherwise an
 * error that shows the end of the log of what did not come up.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = await findBinaries(options.progress);
  const folder = new GuardedFolder();
  try {
    return await start(binaries, folder, options);
  } catch (error) {
    await folder.clear();
    throw error;
  }
}

async function start(binaries: string, folder: GuardedFolder, options: ControlPlaneOptions): Promise<ControlPlane> {
  const [etcdPort, peerPort, apiPort, managerPort] = (await freePorts(4)) as [number, number, number, number];
  const url = `https://127.0.0.1:${apiPort}`;
  const [adminToken, managerToken] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const serviceAccountKey = folder.write('sa.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const tokens = `${adminToken},admin,admin,"system:masters"\n${managerToken},system:kube-controller-manager,manager\n`;

  const etcd = folder.start('etcd', join(binaries, 'etcd'), [
    `--data-dir=${folder.file('etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    '--log-level=error',
    '--unsafe-no-fsync',
  ]);
  const api = folder.start('kube-apiserver', join(binaries, 'kube-apiserver'), [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--secure-port=${apiPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    // The server makes its own certificate, and tokens identify everybody: no certificate of ours is needed.
    `--cert-dir=${folder.file('certificates')}`,
    `--token-auth-file=${folder.write('tokens.csv', tokens)}`,
    '--authorization-mode=Node,RBAC',
    `--service-account-key-file=${serviceAccountKey}`,
    `--service-account-signing-key-file=${serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--allow-privileged=true',
    '--enable-priority-and-fairness=false',
    '--shutdown-delay-duration=0s',
    ...(options.admissionConfig
      ? [`--admission-control-config-file=${folder.write('admission.json', JSON.stringify(options.admissionConfig))}`]
      : []),
    ...(options.audit
      ? [
          `--audit-policy-file=${folder.write('audit-policy.json', auditPolicy)}`,
          `--audit-log-path=${folder.write('audit.log', '')}`,
          // An event is in the file when the client has its answer.
          '--audit-log-mode=blocking',
        ]
      : []),
  ]);

  const certificate = folder.file('certificates/apiserver.crt');
  await untilReady(folder, { etcd, 'kube-apiserver': api }, async () => {
    if (!existsSync(certificate)) return false;
    return (await get(`${url}/readyz`, readFileSync(certificate, 'utf8'), adminToken)) === 200;
  });
  // The file holds the serving certificate and the authority that signed it.
  const ca = readFileSync(certificate, 'utf8');

  let manager: ChildProcess | undefined;
  if (options.controllerManager) {
    manager = folder.start('kube-controller-manager', join(binaries, 'kube-controller-manager'), [
      `--kubeconfig=${folder.write('manager.kubeconfig', kubeconfigOf({ url, ca, token: managerToken }))}`,
      `--service-account-private-key-file=${serviceAccountKey}`,
      `--root-ca-file=${certificate}`,
      '--use-service-account-credentials=true',
      '--leader-elect=false',
      `--secure-port=${managerPort}`,
      '--bind-address=127.0.0.1',
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      '--concurrent-gc-syncs=20',
    ]);
  }

  const kubeconfig = folder.write('admin.kubeconfig', kubeconfigOf({ url, ca, token: adminToken }));
  const plane: ControlPlane = {
    url,
    ca,
    adminToken,
    kubeconfig,
    version: kubernetesVersion,
    binaries,
    async serviceAccountToken(namespace, name) {
      const exists = await plane.kubectl(['get', 'serviceaccount', name, '-n', namespace], { allowFailure: true });
      if (exists.exitCode !== 0) await plane.kubectl(['create', 'serviceaccount', name, '-n', namespace]);
      return (await plane.kubectl(['create', 'token', name, '-n', namespace, '--duration=24h'])).stdout.trim();
    },
    async serviceAccountKubeconfig(namespace, name) {
      const token = await plane.serviceAccountToken(namespace, name);
      return folder.write(`${namespace}-${name}.kubeconfig`, kubeconfigOf({ url, ca, token, namespace }));
    },
    kubectl: (args, { stdin, kubeconfig: as = kubeconfig, allowFailure = false } = {}) =>
      runKubectl(
        join(binaries, 'kubectl'),
        ['--kubeconfig', as, '--cache-dir', folder.file('kubectl-cache'), ...args],
        {
          ...(stdin === undefined ? {} : { stdin }),
          allowFailure,
        },
      ),
    audit() {
      if (!options.audit) throw new Error('this control plane keeps no audit log: start it with { audit: true }');
      return readAudit(folder.file('audit.log'));
    },
    async stop() {
      await end(manager);
      await end(api);
      await end(etcd);
      await folder.clear();
    },
  };
  if (options.controllerManager) {
    // Before this account exists no Pod is admitted.
    await untilReady(folder, { 'kube-controller-manager': manager as ChildProcess }, async () => {
      const account = await plane.kubectl(['get', 'serviceaccount', 'default', '-n', 'default'], {
        allowFailure: true,
      });
      return account.exitCode === 0;
    });
  }
  return plane;
}

/** Polls until `isReady`, or throws with the log of the process that ended or did not come up. */
async function untilReady(
  folder: GuardedFolder,
  processes: Readonly<Record<string, ChildProcess>>,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const seconds = 60;
  for (const start = Date.now(); Date.now() - start < seconds * 1000; await sleep(50)) {
    for (const [name, { exitCode, signalCode, pid }] of Object.entries(processes)) {
      if (pid === undefined || exitCode !== null || signalCode !== null) {
        throw new Error(
          `${name} ended with ${signalCode ?? `code ${exitCode}`} while it started:\n${folder.tailOf(name)}`,
        );
      }
    }
    if (await isReady()) return;
  }
  const [name] = Object.keys(processes).slice(-1) as [string];
  throw new Error(`${name} was not ready after ${seconds} s:\n${folder.tailOf(name)}`);
}

/** The status code of a GET, or undefined while nobody answers. */
function get(url: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { ca, headers: { authorization: `Bearer ${token}` }, agent: false, timeout: 2000 };
    const call = request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.once('error', () => resolve(undefined));
    call.once('timeout', () => call.destroy());
    call.end();
  });
}

function runKubectl(
  program: string,
  args: readonly string[],
  { stdin, allowFailure }: { readonly stdin?: string; readonly allowFailure: boolean },
): Promise<Kubectl> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      if (exitCode === 0 || allowFailure) resolve({ stdout, stderr, exitCode });
      else reject(new Error(`kubectl ${args.slice(4).join(' ')} failed with code ${exitCode}: ${stderr.trim()}`));
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin ?? '');
  });
}
