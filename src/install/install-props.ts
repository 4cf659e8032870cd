import { groupKindOf } from '../kube/api-resource.js';
import { DefinitionError } from '../kube/errors.js';
import type { InstalledOperator } from './installed-operator.js';
import type { MetricsInstall } from './metrics.js';
import type { Room } from './workload.js';

export interface OperatorInstallProps {
  /** What the controller runs. Its rights are the sum of theirs, so install those apart that should not share them. */
  readonly operators: readonly InstalledOperator[];
  /** The image of the controller, with a tag that does not move or a digest. */
  readonly image: string;
  /** Where the controller lives; `<id>-system` if not given. Created, and held to Pod Security `restricted`. */
  readonly namespace?: string;
  /** The namespaces whose custom resources are served, by a Role in each; if not given all, by a ClusterRole. */
  readonly watchNamespaces?: readonly string[];
  /** One leads, the others stand by. One if not given. */
  readonly replicas?: number;
  readonly room?: Room;
  /** Flags of the controller beyond those that the install itself decides. */
  readonly args?: readonly string[];
  /**
   * Variables of the controller's environment. The NetworkPolicy lets through the port of a proxy that `HTTPS_PROXY` or
   * `HTTP_PROXY` names, in capitals or in small letters; `NO_PROXY` takes no port away.
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Whether the controller serves metrics, for scrapers in namespaces labelled `metrics: enabled` whose account has the
   * role `<id>-metrics-reader`. They are if not told otherwise.
   */
  readonly metrics?: boolean | MetricsInstall;
  /** Ports of services that operators call by `external`, which the NetworkPolicy lets through; none if not given. */
  readonly servicePorts?: readonly number[];
  /** Ports of the API server that the NetworkPolicy lets through; the usual ones if not given. */
  readonly apiServerPorts?: readonly number[];
}

export function metricsOf({ metrics = true }: OperatorInstallProps): MetricsInstall | undefined {
  if (metrics === false) return undefined;
  return metrics === true ? {} : metrics;
}

/** Throws `DefinitionError` for an install that cannot work. */
export function refuseImpossible(
  id: string,
  { operators, image, watchNamespaces, apiServerPorts, env = {} }: OperatorInstallProps,
): void {
  if (operators.length === 0) throw new DefinitionError(`the install "${id}" has no operators`);
  const kinds = operators.map(({ resource }) => groupKindOf(resource));
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) {
    throw new DefinitionError(`the install "${id}" has two operators for ${twice}`, {
      hint: 'make one operator of them: each would prune what the other composes',
    });
  }
  const [empty] = Object.entries({ watchNamespaces, apiServerPorts }).filter(([, list]) => list?.length === 0);
  if (empty) {
    throw new DefinitionError(`the install "${id}" has no ${empty[0]}, which would mean all`, {
      hint: `leave ${empty[0]} out, or say which`,
    });
  }
  if (env['POD_NAME'] !== undefined) {
    throw new DefinitionError(`the install "${id}" calls all its replicas alike by env.POD_NAME`, {
      hint: 'leave it out: by the name of its pod each holds the Lease, and no other takes it for its own',
    });
  }
  const named = image.includes('@') || /:[^/]+$/.test(image);
  if (!named || image.endsWith(':latest')) {
    throw new DefinitionError(`the image "${image}" of the install "${id}" names no version`, {
      hint: 'give a tag that does not move, or a digest: Argo CD cannot see that "latest" is another image today',
    });
  }
  const [needy, setting] =
    operators.flatMap((each) =>
      Object.keys(each.settings ?? {})
        .filter((name) => env[name] === undefined)
        .map((name) => [each.name, name]),
    )[0] ?? [];
  if (needy !== undefined) {
    throw new DefinitionError(`the install "${id}" lacks the setting ${setting}, which ${needy} needs`, {
      hint: `say it in env: { ${setting}: '…' }`,
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
