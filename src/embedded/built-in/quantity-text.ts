import { canonicalQuantity } from '../../kube/quantity.js';
import { quantityFault } from '../../kube/quantity-fault.js';

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
    return { wrong: quantityFault(trimmed) };
  }
}
