import { DefinitionError } from '../kube/errors.js';
import type { SecretKey } from './install-props.js';
import { labelsOf, selectorOf } from './labels.js';
import { webhookPort } from './webhooks.js';

export const healthPort = 8081;
export const metricsPort = 8443;

/** The Secret with the certificate by which something is served. */
export interface MountedCertificate {
  readonly of: 'metrics' | 'webhook';
  readonly secret: string;
}

const volumeOf = ({ of }: Pick<MountedCertificate, 'of'>): string => `${of}-certificate`;

/** Where it is mounted. */
export const certificateFolder = (of: MountedCertificate['of']): string => `/var/run/kilter/${volumeOf({ of })}`;

/** Room for one pod of the operator. */
export interface PodRoom {
  readonly requests: { readonly cpu: string; readonly memory: string };
  /** Without `cpu` the processor has no limit. The heap is fitted to `memory`. */
  readonly limits: { readonly cpu?: string; readonly memory: string };
}

/** Enough for ten thousand custom resources; the limit of the processor is for start-up, when every store is filled. */
export const defaultRoom: PodRoom = {
  requests: { cpu: '10m', memory: '64Mi' },
  limits: { cpu: '1', memory: '256Mi' },
};

export interface Workload {
  readonly name: string;
  readonly image: string;
  readonly replicas: number;
  readonly room: PodRoom;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | SecretKey>>;
  readonly metrics: boolean;
  readonly webhooks: boolean;
  readonly certificates: readonly MountedCertificate[];
}

/**
 * The spec of the Deployment that runs the controller.
 *
 * Pod Security `restricted` admits its pods in any namespace. No user id is named: the image has one that is not root,
 * and platforms that assign ids of their own can.
 */
export function deploymentSpec(workload: Workload): Readonly<Record<string, unknown>> {
  const { name, replicas } = workload;
  return {
    replicas,
    selector: { matchLabels: selectorOf(name) },
    template: {
      metadata: {
        labels: { ...labelsOf(name, 'controller'), ...selectorOf(name) },
        annotations: { 'kubectl.kubernetes.io/default-container': 'manager' },
      },
      spec: {
        serviceAccountName: name,
        automountServiceAccountToken: true,
        // Environment variables for each Service of the namespace are of no use and can break a process.
        enableServiceLinks: false,
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        // The controller ends its work and hands the Lease over within five seconds.
        terminationGracePeriodSeconds: 10,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [container(workload)],
        ...(workload.certificates.length === 0
          ? {}
          : {
              volumes: workload.certificates.map((each) => ({
                name: volumeOf(each),
                secret: { secretName: each.secret },
              })),
            }),
      },
    },
  };
}

function container({
  name,
  image,
  args,
  env,
  room,
  metrics,
  webhooks,
  certificates,
}: Workload): Readonly<Record<string, unknown>> {
  // The API server sends reviews and conversions to those who are ready alone, and needs no store that is up to date for them.
  const readiness = webhooks ? '/readyz?exclude=watches' : '/readyz';
  return {
    name: 'manager',
    image,
    imagePullPolicy: 'IfNotPresent',
    args,
    env: [
      // One name twice no server-side apply accepts.
      ...ownVariables(name, room).filter((variable) => env[variable.name] === undefined),
      ...Object.entries(env).map(([variable, value]) => ({ name: variable, ...sourceOf(value) })),
    ],
    ports: [
      { name: 'health', containerPort: healthPort, protocol: 'TCP' },
      ...(metrics ? [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }] : []),
      ...(webhooks ? [{ name: 'webhook', containerPort: webhookPort, protocol: 'TCP' }] : []),
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: readiness, port: 'health' }, initialDelaySeconds: 1, periodSeconds: 10 },
    // Why a process ended is then in the status of its Pod: `kubectl describe` shows it, also of one that is started again and again.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    resources: room,
    ...(certificates.length === 0
      ? {}
      : {
          volumeMounts: certificates.map((each) => ({
            name: volumeOf(each),
            mountPath: certificateFolder(each.of),
            readOnly: true,
          })),
        }),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}

/** What each pod is given, whatever `env` says beside it. */
export function ownVariables(install: string, room: PodRoom) {
  return [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'NODE_OPTIONS', value: nodeOptions(install, room.limits.memory) },
    ...frugalMalloc,
  ];
}

function sourceOf(value: string | SecretKey): Readonly<Record<string, unknown>> {
  if (typeof value === 'string') return { value };
  return { valueFrom: { secretKeyRef: { name: value.secret, key: value.key } } };
}

/**
 * How large the young generation may get, of which there are up to three: a sixteenth of the memory limit. By itself Node
 * chooses by a limit that it may not see. Measured with the usual limit, a burst of work takes a seventh less CPU than with 4,
 * by which most of what it drops is kept until it is old; what was taken is given back at rest.
 */
function semiSpaceMebibytes(limit: number): number {
  return Math.min(16, Math.max(4, Math.floor(limit / 16)));
}

/**
 * By itself glibc keeps a pool of memory for each thread, and in them what the compiler took once. Measured on
 * Node 24, at no more CPU: with one pool 21 MiB less of 141 are resident with 10,000 custom resources, and where pieces of the
 * compiler's size are no part of it, 5 MB less with 1,000. Other C libraries do not know these.
 */
const frugalMalloc = [
  { name: 'MALLOC_ARENA_MAX', value: '1' },
  { name: 'MALLOC_MMAP_THRESHOLD_', value: '32000' },
];

function nodeOptions(install: string, memoryLimit: string): string {
  const limit = mebibytesOf(install, memoryLimit);
  return `--max-old-space-size=${oldSpaceMebibytes(limit)} --max-semi-space-size=${semiSpaceMebibytes(limit)}`;
}

/**
 * The heap that Node may use of a memory limit.
 *
 * Node does not look at the limit, and would be killed for exceeding it rather than collect garbage. A quarter, and at
 * least 64 MiB, is left to what lives outside the heap: code, buffers, sockets, the young generation.
 */
function oldSpaceMebibytes(limit: number): number {
  return limit - Math.max(64, Math.floor(limit / 4));
}

function mebibytesOf(install: string, memoryLimit: string): number {
  const match = /^([1-9][0-9]*)(Mi|Gi)$/.exec(memoryLimit);
  const limit = match ? Number(match[1]) * (match[2] === 'Gi' ? 1024 : 1) : 0;
  if (limit < 96) {
    throw new DefinitionError(`the install "${install}" cannot run: room.limits.memory is "${memoryLimit}"`, {
      hint: 'give it in Mi or Gi, and at least 96Mi',
    });
  }
  return limit;
}
