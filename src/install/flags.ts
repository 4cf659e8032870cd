import { isDns1123Label, isDns1123Subdomain } from '../kube/dns-names.js';
import { driftModes } from '../kube/drift-mode.js';
import {
  booleanOf,
  isBindAddress,
  isHttpsServer,
  listOf,
  portOf,
  rateOf,
  secondsOf,
  wholeNumberOf,
  workersOf,
} from '../kube/flag-values.js';
import { insteadOf } from '../kube/flags-of-others.js';
import { refusalOfTimings, usualTimings } from '../kube/lease-timings.js';
import { logFormats, logLevels } from '../kube/log-choices.js';

/** Whether a word can be the value of a flag. */
type Value = (word: string) => boolean;

const anything: Value = () => true;
const oneOf =
  (words: readonly string[]): Value =>
  (word) =>
    words.includes(word);
const readBy =
  (read: (word: string) => unknown): Value =>
  (word) =>
    read(word) !== undefined;
const boolean = readBy(booleanOf);
const wholeNumber = readBy(wholeNumberOf);
const duration = readBy(secondsOf);
const namespaces: Value = (words) => listOf(words).every(isDns1123Label);

/**
 * The flags of the controller and what each may be. Nothing that is rendered may load their table in `program/flag-groups.ts`, by
 * which the controller reads them; a test holds the two to each other.
 */
export const flags: Readonly<Record<string, Value>> = {
  '--operators': anything,
  '--watch-namespaces': namespaces,
  '--namespace': namespaces,
  '--max-concurrent-reconciles': readBy(workersOf),
  '--rollout-limit': wholeNumber,
  '--drift-mode': oneOf(driftModes),
  '--assume-consent': boolean,
  '--sync-period': duration,
  '--kubeconfig': anything,
  '--context': anything,
  '--kube-api-qps': readBy(rateOf),
  '--kube-api-burst': wholeNumber,
  '--leader-elect': boolean,
  '--leader-election-id': isDns1123Subdomain,
  '--leader-election-namespace': isDns1123Label,
  '--leader-elect-lease-duration': duration,
  '--leader-elect-renew-deadline': duration,
  '--leader-elect-retry-period': duration,
  '--health-probe-bind-address': isBindAddress,
  '--metrics-bind-address': isBindAddress,
  '--metrics-secure': boolean,
  '--metrics-cert-path': anything,
  '--metrics-cert-name': anything,
  '--metrics-cert-key': anything,
  '--webhooks': boolean,
  '--webhook-port': readBy(portOf),
  '--webhook-cert-path': anything,
  '--webhook-url': isHttpsServer,
  '--log-level': oneOf(logLevels),
  '--log-format': oneOf(logFormats),
  '--feature-gates': anything,
};

/** Flags that mean true where no value follows. */
const switches: ReadonlySet<string> = new Set(Object.keys(flags).filter((name) => flags[name] === boolean));

/** Variables that stand for a flag where it is not given, and that no install sets by itself. */
export const variables: Readonly<Record<string, string>> = {
  WATCH_NAMESPACE: '--watch-namespaces',
  ENABLE_WEBHOOKS: '--webhooks',
  LOG_LEVEL: '--log-level',
};

/** Flags to which the rest of an install is fitted, and what is to be done in their place. */
const decided: Readonly<Record<string, string>> = {
  '--operators': 'the list operators says it, and the rights follow from it',
  '--leader-election-id': 'the rights are to the Lease that is called as the install',
  '--leader-election-namespace': 'the rights are to a Lease in the namespace of the install',
  '--health-probe-bind-address': 'the probes of the Deployment ask where it is served by itself',
  '--metrics-bind-address': 'the Service leads to where they are served by themselves; for none say metrics: false',
  '--webhook-port': 'the Service leads to where they are served by themselves',
};

/** The first of these, or of `more`, in `args`, with what to do; nothing where there is none. */
export function decidedIn(
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): readonly [flag: string, instead: string] | undefined {
  const all = Object.entries({ ...decided, ...more });
  return all.find(([flag]) => args.some((arg) => arg === flag || arg.startsWith(`${flag}=`)));
}

/** Why the controller would end at once with such arguments; nothing where it would begin. */
export function refusalOfArgs(args: readonly string[]): string | undefined {
  const values = valuesOf(args);
  return typeof values === 'string' ? values : refusalOfAll(values);
}

/** Whether `flag`, which is true if nobody says otherwise, is false in `args`. */
export function isOff(flag: string, args: readonly string[]): boolean {
  const values = valuesOf(args);
  return typeof values !== 'string' && booleanOf(values.get(flag) ?? 'true') === false;
}

/** The values of flags, or why there are none. */
function valuesOf(args: readonly string[]): ReadonlyMap<string, string> | string {
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    const [, name = arg, given] = /^(--[^=]+)=([\s\S]*)$/.exec(arg) ?? [];
    const takes = Object.hasOwn(flags, name) ? flags[name]! : undefined;
    if (takes === undefined) {
      const instead = insteadOf(arg, Object.keys(flags));
      return `"${arg}" is no flag of the controller${instead === undefined ? '' : ` (${instead})`}`;
    }
    const next = args[index + 1];
    const isNext = given === undefined && next !== undefined && !(switches.has(name) && next.startsWith('-'));
    if (isNext) index++;
    const value = given ?? (isNext ? next : undefined);
    if (value === undefined && !switches.has(name)) return `${name} lacks its value`;
    // As charts write what is not set: to the controller it is not given.
    if (value === '') continue;
    if (value !== undefined && !isLeftOpen(value) && !takes(value)) return `${name} cannot be "${value}"`;
    values.set(name, value ?? 'true');
  }
  return values;
}

/** Why flags that are each well said do not go together. */
function refusalOfAll(values: ReadonlyMap<string, string>): string | undefined {
  if (values.get('--namespace') && values.get('--watch-namespaces')) {
    return '--namespace says the same as --watch-namespaces';
  }
  if (values.has('--kube-api-burst') && !values.has('--kube-api-qps')) return '--kube-api-burst needs --kube-api-qps';
  if (values.has('--metrics-cert-path') && booleanOf(values.get('--metrics-secure') ?? 'true') === false) {
    return '--metrics-cert-path is for HTTPS, and --metrics-secure is false';
  }
  if (values.has('--webhook-url') && values.has('--webhook-cert-path')) {
    return '--webhook-url is told the API server with a certificate of our own, and --webhook-cert-path is given';
  }
  const secondsIn = (flag: string, usual: number) => secondsOf(values.get(flag) ?? `${usual}s`);
  const leaseSeconds = secondsIn('--leader-elect-lease-duration', usualTimings.leaseSeconds);
  const renewSeconds = secondsIn('--leader-elect-renew-deadline', usualTimings.renewSeconds);
  const retrySeconds = secondsIn('--leader-elect-retry-period', usualTimings.retrySeconds);
  // One that is left open nobody can judge yet.
  if (leaseSeconds === undefined || renewSeconds === undefined || retrySeconds === undefined) return undefined;
  const refusal = refusalOfTimings({ leaseSeconds, renewSeconds, retrySeconds });
  return refusal && `--leader-elect-lease-duration and its like do not go together: ${refusal}`;
}

/** Where a kubelet, or who applies it, puts in what only they know. */
function isLeftOpen(value: string): boolean {
  return /\$[({]/.test(value);
}
