import type { InstalledOperator } from '../../src/install/installed-operator.js';
import type { ApiResource } from '../../src/kube/api-resource.js';

const kind = (apiVersion: string, name: string, namespaced = true): ApiResource => ({
  apiVersion,
  kind: name,
  plural: `${name.toLowerCase()}s`,
  namespaced,
});

export const deployments = kind('apps/v1', 'Deployment');
export const daemonSets = kind('apps/v1', 'DaemonSet');
export const services = kind('v1', 'Service');
export const configMaps = kind('v1', 'ConfigMap');
export const secrets = kind('v1', 'Secret');
export const pods = kind('v1', 'Pod');
export const nodes = kind('v1', 'Node', false);

/** As little of an operator as an install needs, with the API that the options ask for. */
export function anOperator(
  options: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly namespaced?: boolean;
    readonly scale?: boolean;
    readonly owns?: readonly ApiResource[];
    readonly reads?: readonly ApiResource[];
  } = {},
): InstalledOperator {
  const { group = 'cache.example.com' } = options;
  const resource = kind(`${group}/v1`, options.kind ?? 'Memcached', options.namespaced ?? true);
  const subresources = {
    status: {},
    ...(options.scale ? { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } } : {}),
  };
  const size = { type: 'object', properties: { size: { type: 'integer', format: 'int32' } } };
  return {
    name: options.name ?? resource.kind.toLowerCase(),
    owns: options.owns ?? [],
    reads: Object.fromEntries((options.reads ?? []).map((read, index) => [`read${index}`, { resource: read }])),
    resource: {
      ...resource,
      group,
      isConvertible: false,
      admission: { validates: false, mutates: false },
      policies: [],
      crd: () => ({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${resource.plural}.${group}` },
        spec: {
          group,
          names: {
            kind: resource.kind,
            plural: resource.plural,
            singular: resource.kind.toLowerCase(),
            listKind: `${resource.kind}List`,
          },
          scope: resource.namespaced ? 'Namespaced' : 'Cluster',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec: size, status: size } } },
              subresources,
            },
          ],
        },
      }),
    },
  };
}
