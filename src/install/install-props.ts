import type { InstalledOperator } from './installed-operator.js';
import type { MetricsInstall } from './metrics.js';
import type { WebhooksInstall } from './webhooks.js';
import type { MountedCertificate, PodRoom } from './workload.js';

/** A key of a Secret in the namespace of the install, which somebody else makes. */
export interface SecretKey {
  readonly secret: string;
  readonly key: string;
}

/** How a controller is installed. */
export interface OperatorInstallProps {
  /** What the controller runs. Its rights are the sum of theirs, so install those apart that should not share them. */
  readonly operators: readonly InstalledOperator[];
  /** The image of the controller, with a tag that does not move or a digest. */
  readonly image: string;
  /** Where the controller lives; `<id>-system` if not given. */
  readonly namespace?: string;
  /** Whether the namespace is rendered, and held to Pod Security `restricted`. It is if not told otherwise. */
  readonly createNamespace?: boolean;
  /**
   * Whether the definitions of the kinds are rendered. They are if not told otherwise: of several installs of a kind one has
   * them, since two Argo CD Applications with one object take it from each other, and the one that goes takes it along.
   */
  readonly definitions?: boolean;
  /** The namespaces whose custom resources are served, by a Role in each; if not given all, by a ClusterRole. */
  readonly watchNamespaces?: readonly string[];
  /** One leads, the others stand by. One if not given. */
  readonly replicas?: number;
  /** What it asks for, and may use, of CPU and memory; enough for ten thousand custom resources if not given. */
  readonly room?: PodRoom;
  /** Flags of the controller beyond those that the install itself decides. */
  readonly args?: readonly string[];
  /**
   * Variables of the controller's environment; what nobody may read, such as a token, is taken from a Secret by the kubelet.
   * The NetworkPolicy lets through the port of a proxy that `HTTPS_PROXY` or `HTTP_PROXY` names, in capitals or in small
   * letters, that of a collector of traces that `OTEL_EXPORTER_OTLP_ENDPOINT` names, and those of settings that are URLs of HTTP,
   * but for what is in a Secret; `NO_PROXY` takes no port away.
   */
  readonly env?: Readonly<Record<string, string | SecretKey>>;
  /**
   * Whether the controller serves metrics, for scrapers in namespaces labelled `metrics: enabled` whose account has the
   * role `<id>-metrics-reader`. They are if not told otherwise.
   */
  readonly metrics?: boolean | MetricsInstall;
  /** How the webhooks of the operators are served, if these have any. */
  readonly webhooks?: WebhooksInstall;
  /** Ports of more services that operators call by `external`, which the NetworkPolicy lets through; none if not given. */
  readonly servicePorts?: readonly number[];
  /** Ports of the API server that the NetworkPolicy lets through; the usual ones if not given. */
  readonly apiServerPorts?: readonly number[];
}

export function metricsInstallOf({ metrics = true }: OperatorInstallProps): MetricsInstall | undefined {
  if (metrics === false) return undefined;
  return metrics === true ? {} : metrics;
}

/** Where the controller of the install called `id` lives. */
export function homeOf(id: string, { namespace }: OperatorInstallProps): string {
  return namespace ?? `${id}-system`;
}

/** Those that others make. */
export function certificatesOf(props: OperatorInstallProps): readonly MountedCertificate[] {
  const secrets = [
    ['metrics', metricsInstallOf(props)?.certificateSecret],
    ['webhook', props.webhooks?.certificateSecret],
  ] as const;
  return secrets.flatMap(([of, secret]) => (secret === undefined ? [] : [{ of, secret }]));
}
