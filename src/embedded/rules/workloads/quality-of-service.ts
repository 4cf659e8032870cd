import type { PodSpec } from '../../../../imports/k8s.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../kube/quantity.js';
import type { Unchecked } from '../unchecked.js';

type Sums = Map<string, Quantity>;
type Amounts = Readonly<Record<string, string | number | undefined>> | undefined;

/** https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
export function qualityOfService(spec: Unchecked<PodSpec>): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const requests: Sums = new Map();
  const limits: Sums = new Map();
  const parts = spec.resources ? [spec] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let areAllLimited = true;
  for (const { resources } of parts) {
    take(requests, resources?.requests);
    const names = take(limits, resources?.limits);
    // Of a Pod as a whole, no limits at all are no fault here.
    const isOpen = spec.resources !== undefined && Object.keys(resources?.limits ?? {}).length === 0;
    if (names < 2 && !isOpen) areAllLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isGuaranteed =
    areAllLimited &&
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => {
      const limit = limits.get(name);
      return limit !== undefined && compareQuantities(limit, amount) === 0;
    });
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** Adds what counts, and says of how many resources there was some. */
function take(sums: Sums, amounts: Amounts): number {
  let taken = 0;
  for (const name of ['cpu', 'memory']) {
    const amount = amounts?.[name];
    if (amount === undefined) continue;
    const quantity = parseQuantity(String(amount));
    if (quantity.unscaled <= 0n) continue;
    const before = sums.get(name);
    sums.set(name, before === undefined ? quantity : addQuantities(before, quantity));
    taken++;
  }
  return taken;
}
