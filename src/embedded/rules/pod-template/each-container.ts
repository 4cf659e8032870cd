import type { Container, PodSpec } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';

/** Every container of a Pod with its path, in the order in which the server goes through them. */
export function eachContainer(
  spec: Unchecked<PodSpec>,
  path: string,
  visit: (container: Unchecked<Container>, path: string) => void,
): void {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers: readonly Unchecked<Container>[] = spec[field] ?? [];
    for (let index = 0; index < containers.length; index++) visit(containers[index]!, `${path}.${field}[${index}]`);
  }
}
