import { driftModes } from '../kube/drift-mode.js';

/** Whether a word can be the value of a flag. */
type Value = (word: string) => boolean;

const anything: Value = () => true;
const matching =
  (pattern: RegExp): Value =>
  (word) =>
    pattern.test(word);
const oneOf =
  (words: readonly string[]): Value =>
  (word) =>
    words.includes(word);
const port: Value = (word) => /^\d+$/.test(word) && Number(word) > 0 && Number(word) < 65_536;
const boolean = matching(/^(true|1|t|false|0|f)$/i);
const wholeNumber = matching(/^0*[1-9]\d*$/);
const rate: Value = (word) => /^\d+(\.\d+)?$/.test(word) && Number(word) > 0;
const duration: Value = (word) => /^(\d+(\.\d+)?(ms|h|m|s))+$/.test(word) && /[1-9]/.test(word);
const address: Value = (word) => {
  const digits = /^(?:[A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(word)?.[1];
  return word === '0' || Number(digits) < 65_536;
};
const objectName: Value = (word) => dns1123(word, 253, /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);
const namespaces: Value = (words) =>
  words
    .split(',')
    .map((word) => word.trim())
    .every((word) => word === '' || dns1123(word, 63, /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/));

function dns1123(word: string, longest: number, pattern: RegExp): boolean {
  return word.length <= longest && pattern.test(word);
}

/**
 * The flags of the controller and what each may be. Nothing that is rendered may load what the controller itself reads them
 * by, `controller-flags.ts`; a test holds the two to each other.
 */
export const flags: Readonly<Record<string, Value>> = {
  '--operators': anything,
  '--watch-namespaces': namespaces,
  '--namespace': namespaces,
  '--max-concurrent-reconciles': wholeNumber,
  '--drift-mode': oneOf(driftModes),
  '--assume-consent': boolean,
  '--sync-period': duration,
  '--kubeconfig': anything,
  '--context': anything,
  '--kube-api-qps': rate,
  '--kube-api-burst': wholeNumber,
  '--leader-elect': boolean,
  '--leader-election-id': objectName,
  '--leader-election-namespace': objectName,
  '--leader-elect-lease-duration': duration,
  '--leader-elect-renew-deadline': duration,
  '--leader-elect-retry-period': duration,
  '--health-probe-bind-address': address,
  '--metrics-bind-address': address,
  '--metrics-secure': boolean,
  '--metrics-cert-path': anything,
  '--metrics-cert-name': anything,
  '--metrics-cert-key': anything,
  '--webhooks': boolean,
  '--webhook-port': port,
  '--webhook-cert-path': anything,
  '--webhook-url': matching(/^https:\/\/[^/?#]+\/?$/),
  '--log-level': oneOf(['debug', 'info', 'warn', 'error']),
  '--log-format': oneOf(['json', 'text']),
  '--feature-gates': anything,
};

/** Flags that mean true where no value follows. */
const switches: ReadonlySet<string> = new Set(Object.keys(flags).filter((name) => flags[name] === boolean));

/** Why the controller would end at once with such arguments; nothing where it would begin. */
export function refusalOfArgs(args: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    const [, name = arg, given] = /^(--[^=]+)=([\s\S]*)$/.exec(arg) ?? [];
    const takes = Object.hasOwn(flags, name) ? flags[name]! : undefined;
    if (takes === undefined) return `"${arg}" is no flag of the controller`;
    const next = args[index + 1];
    const isNext = given === undefined && next !== undefined && !(switches.has(name) && next.startsWith('-'));
    if (isNext) index++;
    const value = given ?? (isNext ? next : undefined);
    if (value === undefined && !switches.has(name)) return `${name} lacks its value`;
    if (value !== undefined && !isLeftOpen(value) && !takes(value)) return `${name} cannot be "${value}"`;
  }
  return undefined;
}

/** As charts write what is not set, and where a kubelet puts in what only it knows. */
function isLeftOpen(value: string): boolean {
  return value === '' || /\$[({]/.test(value);
}
