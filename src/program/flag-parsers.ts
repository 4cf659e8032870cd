import { InvalidArgumentError } from 'commander';
import { isDns1123Label, isDns1123Subdomain } from '../kube/dns-names.js';
import {
  booleanOf,
  isBindAddress,
  isHttpsServer,
  listOf,
  mostWorkers,
  portOf,
  rateOf,
  secondsOf,
  wholeNumberOf,
  workersOf,
} from '../kube/flag-values.js';

/** Gates that can be opened. Every Kubernetes program knows the first two; no feature of this version is behind a gate. */
export const featureGates = ['AllAlpha', 'AllBeta'];

/** What `read` makes of the words, or why they cannot be the value. */
function taking<T>(read: (text: string) => T | undefined, refusal: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(refusal);
    return value;
  };
}

export const boolean = taking(booleanOf, 'It is neither true nor false.');
export const wholeNumber = taking(wholeNumberOf, 'It is no whole number above 0.');
export const workers = taking(workersOf, `It is no whole number above 0, up to ${mostWorkers}.`);
export const rate = taking(rateOf, 'It is no number above 0. Leave it out for no fixed rate.');
export const port = taking(portOf, 'It is no port between 1 and 65535.');
export const duration = taking(secondsOf, 'It is no duration above 0, such as 90s, 15m or 1h30m.');
export const httpsUrl = taking(
  (text) => (isHttpsServer(text) ? new URL(text).origin : undefined),
  'It is no address such as https://10.0.2.2:9443.',
);
export const bindAddress = taking(
  (text) => (isBindAddress(text) ? text : undefined),
  'It is no address such as :8081, 127.0.0.1:8081 or [::1]:8081, nor 0.',
);
export const objectName = taking(
  (text) => (isDns1123Subdomain(text) ? text : undefined),
  'It is no name of an object: lower case letters, digits, "-" and ".".',
);
export const namespace = taking(
  (text) => (isDns1123Label(text) ? text : undefined),
  'It is no name of a namespace: lower case letters, digits and "-".',
);

export function namespaces(text: string): readonly string[] | '' {
  const names = listOf(text);
  // Where none is named, as of a list without any, another flag or the variable may name them. All would be too many.
  if (names.length === 0) return '';
  const wrong = names.find((name) => !isDns1123Label(name));
  if (wrong === undefined) return names;
  throw new InvalidArgumentError(`"${wrong}" is no name of a namespace: lower case letters, digits and "-".`);
}

export function chosenFrom(names: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const chosen = listOf(text);
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown === undefined && chosen.length > 0) return chosen;
    const what = unknown === undefined ? 'No operator is named.' : `There is no operator "${unknown}".`;
    throw new InvalidArgumentError(`${what} Choose from ${names.join(', ')}.`);
  };
}

export function gates(text: string): ReadonlyMap<string, boolean> {
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
