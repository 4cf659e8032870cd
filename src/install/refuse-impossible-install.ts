import { groupKindOf } from '../kube/api-resource.js';
import { DefinitionError } from '../kube/errors.js';
import { isOff } from './flags.js';
import type { OperatorInstallProps } from './install-props.js';
import { hasWebhooks } from './webhooks.js';

/** Throws `DefinitionError` for an install that cannot work. */
export function refuseImpossibleInstall(
  id: string,
  { operators, watchNamespaces, apiServerPorts, webhooks, metrics, env = {}, args = [] }: OperatorInstallProps,
): void {
  if (operators.length === 0) {
    throw new DefinitionError(`the install "${id}" has no operators`, {
      hint: 'name those that its controller runs: operators: [memcached]',
    });
  }
  const kinds = operators.map(({ resource }) => groupKindOf(resource));
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) {
    throw new DefinitionError(`the install "${id}" has two operators for ${twice}`, {
      hint: 'make one operator of them: each would prune what the other composes',
    });
  }
  const alike = operators.find(({ name }, index) => operators.findIndex((each) => each.name === name) !== index);
  if (alike) {
    throw new DefinitionError(`the install "${id}" has two operators named "${alike.name}"`, {
      hint: 'give one of them another name: operator(Kind, { name: ... })',
    });
  }
  const [empty] = Object.entries({ watchNamespaces, apiServerPorts }).filter(([, list]) => list?.length === 0);
  if (empty) {
    throw new DefinitionError(`the install "${id}" has no ${empty[0]}, which would mean all`, {
      hint: `leave ${empty[0]} out, or say which`,
    });
  }
  if (webhooks && !hasWebhooks(operators)) {
    throw new DefinitionError(`the install "${id}" has a certificate for webhooks, and no webhooks`, {
      hint: 'leave webhooks out: none of its operators has admission or versions',
    });
  }
  const enabled = env['ENABLE_WEBHOOKS'];
  const said = typeof enabled === 'string' && enabled !== '' ? [`--webhooks=${enabled}`] : [];
  if (hasWebhooks(operators) && isOff('--webhooks', [...said, ...args])) {
    throw new DefinitionError(`the install "${id}" has webhooks, and --webhooks is false`, {
      hint: 'leave it out: the API server would ask in vain, and refuse what it asks about',
    });
  }
  if (isOff('--leader-elect', args)) {
    throw new DefinitionError(`the install "${id}" would have two replicas write at once: --leader-elect is false`, {
      hint: 'leave it out: of one replica, too, there are two while a new version takes the place of the one before',
    });
  }
  if (typeof metrics === 'object' && metrics.serviceMonitor && isOff('--metrics-secure', args)) {
    throw new DefinitionError(`the install "${id}" has a ServiceMonitor for HTTPS, and --metrics-secure is false`, {
      hint: 'leave --metrics-secure out, or leave the ServiceMonitor to whoever scrapes',
    });
  }
  if (typeof metrics === 'object' && metrics.certificateSecret && isOff('--metrics-secure', args)) {
    throw new DefinitionError(`the install "${id}" has a certificate for metrics, and --metrics-secure is false`, {
      hint: 'leave one of them out',
    });
  }
  const far = operators.find(({ reach = 'namespace' }) => reach !== 'namespace');
  if (watchNamespaces !== undefined && far) {
    throw new DefinitionError(`the install "${id}" cannot be limited to namespaces: ${far.name} reaches into all`, {
      hint: 'leave watchNamespaces out',
    });
  }
  const wide = operators
    .flatMap(({ resource, owns, reads }) => [resource, ...owns, ...Object.values(reads).map((each) => each.resource)])
    .find(({ namespaced }) => !namespaced);
  if (watchNamespaces === undefined || wide === undefined) return;
  throw new DefinitionError(`the install "${id}" cannot be limited to namespaces: ${wide.kind} is cluster-scoped`, {
    hint: 'leave watchNamespaces out',
  });
}
