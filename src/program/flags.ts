/** Longer than most files: one line a flag, and what each may be. */
import { Command, CommanderError, InvalidArgumentError, Option, type OptionValueSource } from 'commander';
import { isDns1123Label, isDns1123Subdomain } from '../kube/dns-names.js';
import { type DriftMode, driftModes } from '../kube/drift-mode.js';
import {
  booleanOf,
  isBindAddress,
  isHttpsServer,
  listOf,
  portOf,
  rateOf,
  secondsOf,
  wholeNumberOf,
} from '../kube/flag-values.js';
import { type LeaseTimings, refusalOfTimings, usualTimings } from '../kube/lease-timings.js';
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../kube/log-choices.js';
import { version } from '../kube/version.js';

/** What the controller was asked to do, checked. */
export interface Flags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Absent: all. */
  readonly watchNamespaces?: readonly string[];
  /** Absent: all. */
  readonly operators?: readonly string[];
  readonly maxConcurrentReconciles?: number;
  /** Absent: all at once. */
  readonly rolloutLimit?: number;
  /** Absent: as each operator says. */
  readonly driftMode?: DriftMode;
  /** Namespaces need not consent to what custom resources of others want of them. */
  readonly assumeConsent: boolean;
  /** Absent: never. */
  readonly syncPeriod?: number;
  /** Absent: as fast as the API server keeps up. */
  readonly kubeApiQps?: number;
  readonly kubeApiBurst?: number;
  readonly leaderElect: boolean;
  readonly leaderElectionId: string;
  readonly leaderElectionNamespace?: string;
  /** Seconds, as the next two. */
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly healthProbeBindAddress: string;
  readonly metricsBindAddress: string;
  readonly metricsSecure: boolean;
  readonly metricsCertPath?: string;
  readonly metricsCertName: string;
  readonly metricsCertKey: string;
  readonly webhooks: boolean;
  readonly webhookPort: number;
  readonly webhookCertPath?: string;
  /** Where the API server reaches the webhooks, in place of their Service. */
  readonly webhookUrl?: string;
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** Flags to run with; or what to print, and the exit code, when there is nothing to run. */
export type Read =
  | { readonly type: 'run'; readonly flags: Flags }
  | { readonly type: 'exit'; readonly code: 0 | 2; readonly text: string };

/** Gates that can be opened. Every Kubernetes program knows the first two; no feature of this version is behind a gate. */
const featureGates = ['AllAlpha', 'AllBeta'];

/** Reads the words of the command line, and of the environment where they have a say. */
export function readFlags(words: readonly string[], operators: readonly string[]): Read {
  let text = '';
  const command = commandOf(operators)
    .exitOverride()
    .configureOutput({ writeOut: (part) => (text += part), writeErr: (part) => (text += part) });
  try {
    command.parse(words, { from: 'user' });
    return { type: 'run', flags: settled(command) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { type: 'exit', code: error.exitCode === 0 ? 0 : 2, text };
  }
}

/** Names of all flags, for the documentation to be held to. */
export function flagsOf(operators: readonly string[]): readonly Option[] {
  return commandOf(operators).options;
}

function settled(command: Command): Flags {
  const { namespace, watchNamespaces, ...rest } = command.opts<
    Omit<Flags, 'watchNamespaces'> & { watchNamespaces?: readonly string[]; namespace?: readonly string[] }
  >();
  if (namespace && command.getOptionValueSource('watchNamespaces') === 'cli') {
    command.error("error: option '--namespace' says the same as --watch-namespaces: give one of them");
  }
  const namespaces = namespace ?? watchNamespaces ?? [];
  const refusal = refusalOfTimings(leaseTimingsOf(rest));
  if (refusal !== undefined) {
    command.error(`error: options '--leader-elect-lease-duration' and its like do not go together: ${refusal}`);
  }
  const { kubeApiQps, kubeApiBurst, metricsSecure, metricsCertPath } = rest;
  if (kubeApiBurst !== undefined && kubeApiQps === undefined) {
    command.error("error: option '--kube-api-burst' needs a rate: give --kube-api-qps, too");
  }
  if (metricsCertPath !== undefined && !metricsSecure) {
    command.error("error: option '--metrics-cert-path' is for HTTPS: leave it out, or --metrics-secure=false");
  }
  return { ...rest, ...(namespaces.length === 0 ? {} : { watchNamespaces: namespaces }) };
}

/** By which timings the Lease is held. */
export function leaseTimingsOf(
  flags: Pick<Flags, 'leaderElectLeaseDuration' | 'leaderElectRenewDeadline' | 'leaderElectRetryPeriod'>,
): LeaseTimings {
  return {
    leaseSeconds: flags.leaderElectLeaseDuration,
    renewSeconds: flags.leaderElectRenewDeadline,
    retrySeconds: flags.leaderElectRetryPeriod,
  };
}

function commandOf(operators: readonly string[]): Command {
  const command = new ControllerCommand('controller')
    .description('Watches custom resources and keeps their children true, until it is told to stop (SIGTERM, SIGINT).')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .allowExcessArguments(false)
    .configureHelp({ helpWidth: 100 })
    .addHelpText('after', `\n${environment}\n\n${exitCodes}\n`);
  for (const [heading, options] of Object.entries(groups(operators))) {
    for (const option of options) command.addOption(takingNothing(option).helpGroup(heading));
  }
  return command;
}

/** Nothing, as charts write what is not set, is not given: by a flag or a variable the value stays what it was. */
class ControllerCommand extends Command {
  override setOptionValueWithSource(name: string, value: unknown, source?: OptionValueSource): this {
    return value === '' ? this : super.setOptionValueWithSource(name, value, source);
  }
}

/** What a variable may say, too, is never asked what it makes of nothing. */
function takingNothing(option: Option): Option {
  const { envVar, parseArg: parse } = option;
  if (envVar === undefined || parse === undefined) return option;
  return option.argParser((text: string, before: unknown) => (text === '' ? '' : parse(text, before)));
}

function groups(operators: readonly string[]): Readonly<Record<string, readonly Option[]>> {
  return {
    'What it works on:': [
      new Option('--operators <names>', `only these, of ${operators.join(', ')}`).argParser(chosenFrom(operators)),
      new Option('--watch-namespaces <names>', 'only these namespaces, separated by commas; all if not given')
        .argParser(namespaces)
        .env('WATCH_NAMESPACE'),
      new Option('--namespace <name>', 'the same, by its older name').argParser(namespaces),
      new Option('--max-concurrent-reconciles <number>', 'custom resources of a kind reconciled at once').argParser(
        wholeNumber,
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

const environment = `Environment:
  WATCH_NAMESPACE, LOG_LEVEL, OPERATOR_NAME, POD_NAMESPACE, ENABLE_WEBHOOKS  as above; a flag wins
  POD_NAME             who this replica is, in Lease and events; the host and a random number if not given
  KUBECONFIG           a kubeconfig, or several with a colon between, where --kubeconfig names none
  HTTPS_PROXY          a proxy before the API server, unless NO_PROXY names it or a kubeconfig has another
  OTEL_*               a collector of traces, OTEL_EXPORTER_OTLP_ENDPOINT, and how they are exported
  NODE_OPTIONS         read by Node itself; an install gives --max-old-space-size and --max-semi-space-size
  MALLOC_*             read by glibc; an install gives MALLOC_ARENA_MAX and MALLOC_MMAP_THRESHOLD_`;

const exitCodes = `Exit codes:
  0  it was told to stop, and gave its Lease back
  1  it could not start, lost its Lease, met an error that nobody handles, or the API server was restored
     from a backup; the last error in its log says which
  2  a flag cannot be used`;

/** A flag that is set by its name alone, and can be given a value as programs in Go take it. */
function flag(name: string, description: string, byDefault: boolean): Option {
  return new Option(`${name} [true|false]`, description).argParser(boolean).default(byDefault);
}

function timing(name: string, description: string, seconds: number): Option {
  return new Option(`${name} <duration>`, description).argParser(duration).default(seconds, `${seconds}s`);
}

/** What `read` makes of the words, or why they cannot be the value. */
function taking<T>(read: (text: string) => T | undefined, refusal: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(refusal);
    return value;
  };
}

const boolean = taking(booleanOf, 'It is neither true nor false.');
const wholeNumber = taking(wholeNumberOf, 'It is no whole number above 0.');
const rate = taking(rateOf, 'It is no number above 0. Leave it out for no fixed rate.');
const port = taking(portOf, 'It is no port between 1 and 65535.');
const duration = taking(secondsOf, 'It is no duration above 0, such as 90s, 15m or 1h30m.');
const httpsUrl = taking(
  (text) => (isHttpsServer(text) && URL.canParse(text) ? new URL(text).origin : undefined),
  'It is no address such as https://10.0.2.2:9443.',
);
const bindAddress = taking(
  (text) => (isBindAddress(text) ? text : undefined),
  'It is no address such as :8081, 127.0.0.1:8081 or [::1]:8081, nor 0.',
);
const objectName = taking(
  (text) => (isDns1123Subdomain(text) ? text : undefined),
  'It is no name of an object: lower case letters, digits, "-" and ".".',
);
const namespace = taking(
  (text) => (isDns1123Label(text) ? text : undefined),
  'It is no name of a namespace: lower case letters, digits and "-".',
);

function namespaces(text: string): readonly string[] | '' {
  const names = listOf(text);
  // Where none is named, as of a list without any, another flag or the variable may name them. All would be too many.
  if (names.length === 0) return '';
  const wrong = names.find((name) => !isDns1123Label(name));
  if (wrong === undefined) return names;
  throw new InvalidArgumentError(`"${wrong}" is no name of a namespace: lower case letters, digits and "-".`);
}

function chosenFrom(names: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const chosen = listOf(text);
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown === undefined && chosen.length > 0) return chosen;
    const what = unknown === undefined ? 'No operator is named.' : `There is no operator "${unknown}".`;
    throw new InvalidArgumentError(`${what} Choose from ${names.join(', ')}.`);
  };
}

function gates(text: string): ReadonlyMap<string, boolean> {
  return new Map(
    listOf(text).map((word) => {
      const [name = '', value = ''] = word.split('=', 2);
      if (!featureGates.includes(name)) {
        throw new InvalidArgumentError(`There is no feature gate "${name}". Choose from ${featureGates.join(', ')}.`);
      }
      return [name, boolean(value)];
    }),
  );
}
