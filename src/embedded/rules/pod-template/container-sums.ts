import type { PodSpec } from '../../../../imports/k8s.js';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  showQuantity,
} from '../../../kube/quantity.js';
import type { Unchecked } from '../unchecked.js';

type Sums = Map<string, Quantity>;
type Amounts = Readonly<Record<string, string | number | undefined>>;

/**
 * What the containers of a Pod ask for together: the sum of those that run side by side, or what one init container and
 * the sidecars before it need, whichever is more.
 *
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function containerSums(spec: Unchecked<PodSpec>, kind: 'limits' | 'requests'): Readonly<Record<string, string>> {
  const sums: Sums = new Map();
  const sidecars: Sums = new Map();
  const highest: Sums = new Map();
  for (const { resources } of spec.containers ?? []) add(sums, resources?.[kind]);
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    if (restartPolicy === 'Always') {
      add(sums, resources?.[kind]);
      add(sidecars, resources?.[kind]);
      raise(highest, sidecars);
    } else {
      const now: Sums = new Map(sidecars);
      add(now, resources?.[kind]);
      raise(highest, now);
    }
  }
  raise(sums, highest);
  return Object.fromEntries([...sums].map(([name, amount]) => [name, showQuantity(amount)]));
}

function add(sums: Sums, amounts: Amounts | undefined): void {
  for (const name in amounts) {
    const amount = parseQuantity(String(amounts[name]));
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

function raise(sums: Sums, others: Sums): void {
  for (const [name, amount] of others) {
    const before = sums.get(name);
    if (before === undefined || compareQuantities(amount, before) > 0) sums.set(name, amount);
  }
}
