import { canonicalQuantity } from '../../kube/quantity.js';

const scanned = /^[+-]?\d*(?:\.\d*)?([eEinumkKMGTP]*[+-]?\d*)$/;
const suffixes = /^(?:[eE][+-]?\d+|[numkMGTPE]?|[KMGTPE]i)$/;
const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/**
 * A quantity as the server keeps it, or what it says of text that is none.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function quantityText(text: string): { readonly kept: string } | { readonly wrong: string } {
  const trimmed = text.trim();
  try {
    return { kept: canonicalQuantity(trimmed) };
  } catch {
    const suffix = scanned.exec(trimmed)?.[1];
    if (trimmed === '' || suffix === undefined) return { wrong: formatWrong };
    if (!suffixes.test(suffix)) return { wrong: "unable to parse quantity's suffix" };
    return { wrong: 'unable to parse numeric part of quantity' };
  }
}
