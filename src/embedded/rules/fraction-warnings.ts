import { parseQuantity } from '../../kube/quantity.js';
import { goQuote } from '../../schema/go-format.js';
import { shownAmount } from './amounts.js';

type Amounts = Readonly<Record<string, string | number | undefined>> | undefined;

/** There is no half a byte. */
export function fractionWarnings(path: string, amounts: Amounts, name: string): readonly string[] {
  const amount = amounts?.[name];
  if (amount === undefined) return [];
  const { unscaled, exponent } = parseQuantity(String(amount));
  if (exponent >= 0 || unscaled % 10n ** BigInt(-exponent) === 0n) return [];
  const shown = goQuote(shownAmount(amount));
  return [`${path}[${name}]: fractional byte value ${shown} is invalid, must be an integer`];
}

/** The same of what a claim asks for. */
export function claimSpecWarnings(
  path: string,
  { resources }: { readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts } | undefined } = {},
): readonly string[] {
  return [
    ...fractionWarnings(`${path}.resources.requests`, resources?.requests, 'storage'),
    ...fractionWarnings(`${path}.resources.limits`, resources?.limits, 'storage'),
  ];
}
