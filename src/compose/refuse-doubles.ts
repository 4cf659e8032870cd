import { isBuiltIn } from '../kube/built-in-groups.js';
import { TerminalError } from '../kube/errors.js';
import type { Json, Manifest } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { isMap } from '../kube/plain-map.js';

/** Where an object has a Pod, as PodTemplates, Pods, what makes them, and CronJobs do. */
const podPaths = ['template.spec', 'spec', 'spec.template.spec', 'spec.jobTemplate.spec.template.spec'];

/** Lists whose entries are known by some of their fields, with what these are where they are not said. */
const inPods = { imagePullSecrets: { name: '' }, hostAliases: { ip: '' } };
const inContainers = { env: { name: '' }, ports: { containerPort: '', protocol: 'TCP' } };

/**
 * Throws `TerminalError` for an entry that a list has twice of which the API server creates an object with no more than a warning,
 * and then refuses each apply, whatever that is to change: https://github.com/kubernetes/kubernetes/issues/113482
 */
export function refuseDoubles(child: Manifest, parent: string): void {
  if (!isBuiltIn(child.apiVersion)) return;
  for (const path of podPaths) {
    const pod = path
      .split('.')
      .reduce<Json | undefined>((value, field) => mapOf(value)[field], child as unknown as Json);
    if (!Array.isArray(mapOf(pod)['containers'])) continue;
    for (const [field, keys] of Object.entries(inPods))
      refuse(child, parent, mapOf(pod)[field], `${path}.${field}`, keys);
    for (const list of ['initContainers', 'containers']) {
      for (const [index, container] of listOf(mapOf(pod)[list]).entries()) {
        for (const [field, keys] of Object.entries(inContainers)) {
          refuse(child, parent, mapOf(container)[field], `${path}.${list}[${index}].${field}`, keys);
        }
      }
    }
  }
}

function refuse(
  { kind, metadata }: Manifest,
  parent: string,
  list: Json | undefined,
  path: string,
  keys: Readonly<Record<string, string>>,
): void {
  const seen = new Set<string>();
  for (const entry of listOf(list)) {
    const said = Object.entries(keys).map(([key, usual]) => `${key} ${JSON.stringify(mapOf(entry)[key] ?? usual)}`);
    const words = said.join(' and ');
    if (seen.has(words)) {
      throw new TerminalError(
        `${parent} composes ${show({ kind, name: metadata.name })} with two entries in ${path} that have ${words}`,
        { hint: 'leave one of them out: the API server would create it, and then refuse every change of it' },
      );
    }
    seen.add(words);
  }
}

function mapOf(value: Json | undefined): Readonly<Record<string, Json | undefined>> {
  return isMap(value) ? value : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
