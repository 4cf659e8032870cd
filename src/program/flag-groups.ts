import { Option } from 'commander';
import { driftModes } from '../kube/drift-mode.js';
import { usualTimings } from '../kube/lease-timings.js';
import { logFormats, logLevels } from '../kube/log-choices.js';
import {
  bindAddress,
  boolean,
  chosenFrom,
  duration,
  featureGates,
  gates,
  httpsUrl,
  namespace,
  namespaces,
  objectName,
  port,
  rate,
  wholeNumber,
  workers,
} from './flag-parsers.js';

/** The flags of the controller under the headings of --help, one line a flag, and what each may be. */
export function flagGroups(operators: readonly string[]): Readonly<Record<string, readonly Option[]>> {
  return {
    'What it works on:': [
      new Option('--operators <names>', `only these, of ${operators.join(', ')}`).argParser(chosenFrom(operators)),
      new Option('--watch-namespaces <names>', 'only these namespaces, separated by commas; all if not given')
        .argParser(namespaces)
        .env('WATCH_NAMESPACE'),
      new Option('--namespace <name>', 'the same, by its older name').argParser(namespaces),
      new Option('--max-concurrent-reconciles <number>', 'custom resources of a kind reconciled at once').argParser(
        workers,
      ),
      new Option(
        '--rollout-limit <number>',
        'custom resources of a kind changed at once by an upgrade, until they are ready; all if not given',
      ).argParser(wholeNumber),
      new Option(
        '--drift-mode <mode>',
        'what is done when somebody changes a child; as each operator says if not given',
      ).choices(driftModes),
      flag(
        '--assume-consent',
        'for clusters of one tenant: let custom resources reach into other namespaces unasked, where their operator reaches that far',
        false,
      ),
      new Option(
        '--sync-period <duration>',
        'looks at every custom resource again after this long, such as 10h; never if not given, since watches tell',
      ).argParser(duration),
    ],
    'API server:': [
      new Option(
        '--kubeconfig <file>',
        'a kubeconfig; if not given KUBECONFIG, then in a Pod its own account, elsewhere ~/.kube/config',
      ),
      new Option('--context <name>', 'a context of the kubeconfig; its current one if not given'),
      new Option(
        '--kube-api-qps <rate>',
        'calls a second at most; if not given as many as the API server keeps up with',
      ).argParser(rate),
      new Option(
        '--kube-api-burst <number>',
        'calls at once before the rate holds; 1.5 times the rate if not given',
      ).argParser(wholeNumber),
    ],
    'Leader election:': [
      flag('--leader-elect', 'let one of several replicas work, by a Lease', false),
      new Option('--leader-election-id <name>', 'the name of the Lease')
        .argParser(objectName)
        .default('kilter')
        .env('OPERATOR_NAME'),
      new Option('--leader-election-namespace <name>', 'where the Lease is; where the account is if not given')
        .argParser(namespace)
        .env('POD_NAMESPACE'),
      timing(
        '--leader-elect-lease-duration',
        'the Lease is good for so long after its last renewal',
        usualTimings.leaseSeconds,
      ),
      timing(
        '--leader-elect-renew-deadline',
        'who could not renew the Lease for so long ends',
        usualTimings.renewSeconds,
      ),
      timing('--leader-elect-retry-period', 'how often the Lease is renewed, or asked for', usualTimings.retrySeconds),
    ],
    'Probes and metrics:': [
      new Option('--health-probe-bind-address <address>', 'where /healthz and /readyz are served; 0 for nowhere')
        .argParser(bindAddress)
        .default(':8081'),
      new Option('--metrics-bind-address <address>', 'where /metrics is served, such as :8443; 0 for nowhere')
        .argParser(bindAddress)
        .default('0'),
      flag('--metrics-secure', 'serve metrics over HTTPS, to those whom the API server lets', true),
      new Option(
        '--metrics-cert-path <folder>',
        'where the certificate of metrics is, read again when it changes; one that is made at start if not given',
      ),
      new Option('--metrics-cert-name <file>', 'the certificate in that folder').default('tls.crt'),
      new Option('--metrics-cert-key <file>', 'its key').default('tls.key'),
    ],
    'Webhooks, of operators that have any:': [
      flag('--webhooks', 'serve webhooks; false where the API server cannot reach this process', true).env(
        'ENABLE_WEBHOOKS',
      ),
      new Option('--webhook-port <port>', 'where they are served').argParser(port).default(9443),
      new Option(
        '--webhook-cert-path <folder>',
        'where tls.crt and tls.key are, whose authority somebody else tells the API server; a Secret if not given',
      ),
      new Option(
        '--webhook-url <url>',
        'how the API server reaches this process, where that is not by the Service, as https://10.0.2.2:9443',
      ).argParser(httpsUrl),
    ],
    'Logs:': [
      new Option('--log-level <level>', 'the least level that is logged')
        .choices(logLevels)
        .default('info')
        .env('LOG_LEVEL'),
      new Option('--log-format <format>', 'an object a line, or a line of text for people')
        .choices(logFormats)
        .default('json'),
    ],
    'Known for the sake of others:': [
      new Option('--feature-gates <gates>', `gates as name=true, separated by commas, of ${featureGates.join(', ')}`)
        .argParser(gates)
        .default(new Map(), 'all as they are'),
    ],
  };
}

/** A flag that is set by its name alone, and can be given a value as programs in Go take it. */
function flag(name: string, description: string, byDefault: boolean): Option {
  return new Option(`${name} [true|false]`, description).argParser(boolean).default(byDefault);
}

function timing(name: string, description: string, seconds: number): Option {
  return new Option(`${name} <duration>`, description).argParser(duration).default(seconds, `${seconds}s`);
}
