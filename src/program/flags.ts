import { Command, CommanderError, type Option, type OptionValueSource } from 'commander';
import type { DriftMode } from '../kube/drift-mode.js';
import { insteadOf } from '../kube/flags-of-others.js';
import { type LeaseTimings, refusalOfTimings } from '../kube/lease-timings.js';
import type { LogFormat, LogLevel } from '../kube/log-choices.js';
import { version } from '../kube/version.js';
import { flagGroups } from './flag-groups.js';

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
    const unknown = error.code === 'commander.unknownOption' ? /'(.*?)'/.exec(error.message)?.[1] : undefined;
    const instead = unknown && insteadOf(unknown, namesOf(operators));
    if (instead) return { type: 'exit', code: 2, text: `error: unknown option '${unknown}'\n(${instead})\n` };
    return { type: 'exit', code: error.exitCode === 0 ? 0 : 2, text };
  }
}

/** Names of all flags, for the documentation to be held to. */
export function flagsOf(operators: readonly string[]): readonly Option[] {
  return commandOf(operators).options;
}

function namesOf(operators: readonly string[]): readonly string[] {
  return flagsOf(operators).flatMap(({ long }) => long ?? []);
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
  const { kubeApiQps, kubeApiBurst, metricsSecure, metricsCertPath, webhookUrl, webhookCertPath } = rest;
  if (kubeApiBurst !== undefined && kubeApiQps === undefined) {
    command.error("error: option '--kube-api-burst' needs a rate: give --kube-api-qps, too");
  }
  if (metricsCertPath !== undefined && !metricsSecure) {
    command.error("error: option '--metrics-cert-path' is for HTTPS: leave it out, or --metrics-secure=false");
  }
  if (webhookUrl !== undefined && webhookCertPath !== undefined) {
    command.error(
      "error: option '--webhook-url' is told the API server with the authority of a certificate of our own: leave it out, or --webhook-cert-path",
    );
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
  for (const [heading, options] of Object.entries(flagGroups(operators))) {
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

/** No flag is asked what it makes of nothing, but that of the operators: whoever names none of them would have all. */
function takingNothing(option: Option): Option {
  const { long, parseArg: parse } = option;
  if (long === '--operators' || parse === undefined) return option;
  return option.argParser((text: string, before: unknown) => (text === '' ? '' : parse(text, before)));
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
