import { labelsOf, selectorOf } from './labels.js';
import { metricsPort } from './workload.js';

/** How metrics of an install are served and found. */
export interface MetricsInstall {
  /**
   * Whether a ServiceMonitor tells Prometheus Operator where metrics are. Its kind must be there before; it is not if not
   * told otherwise.
   */
  readonly serviceMonitor?: boolean;
  /**
   * A Secret of type `kubernetes.io/tls` in the namespace of the controller, as cert-manager writes it, with the certificate
   * that metrics are served with, for `<id>-metrics.<namespace>.svc`. If not given the controller makes one at each start,
   * which nobody can verify.
   */
  readonly certificateSecret?: string;
}

/** The Service of the metrics of an install. */
export const metricsName = (name: string): string => `${name}-metrics`;

/** The Service in front of the metrics of the install called `name`. */
export function metricsServiceSpec(name: string): Readonly<Record<string, unknown>> {
  return {
    selector: selectorOf(name),
    ports: [{ name: 'https', port: metricsPort, targetPort: 'metrics', protocol: 'TCP' }],
  };
}

/** Where Prometheus finds metrics, and how it asks: with the token of its own account. */
export function serviceMonitorSpec({
  name,
  service,
  certificateSecret,
}: Pick<MetricsInstall, 'certificateSecret'> & { readonly name: string; readonly service: string }): Readonly<
  Record<string, unknown>
> {
  return {
    selector: { matchLabels: labelsOf(name, 'metrics') },
    endpoints: [
      {
        port: 'https',
        path: '/metrics',
        scheme: 'https',
        bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
        tlsConfig:
          certificateSecret === undefined
            ? { insecureSkipVerify: true }
            : { serverName: service, ca: { secret: { name: certificateSecret, key: 'ca.crt' } } },
      },
    ],
  };
}
