import { parseQuantity, showQuantity } from '../../../kube/quantity.js';

/** Amounts that cannot be finer than a thousandth, as almost all that are written. */
const isCoarse = /^\d+(?:m|[kMGTPE]i?)?$/;

/** What is finer than a thousandth is rounded up to it, in place. */
export function defaultResourceList(amounts: Record<string, number | string | undefined> | undefined): void {
  for (const name in amounts) {
    const text = String(amounts[name]);
    if (!isCoarse.test(text)) amounts[name] = toThousandths(text);
  }
}

function toThousandths(text: string): string {
  const { unscaled, exponent, format } = parseQuantity(text);
  if (exponent >= -3) return text;
  const divisor = 10n ** BigInt(-3 - exponent);
  const away = unscaled % divisor === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return showQuantity({ unscaled: unscaled / divisor + away, exponent: -3, format });
}
