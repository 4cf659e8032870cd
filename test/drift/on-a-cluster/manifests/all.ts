import { HorizontalPodAutoscalerV1 } from '../../../../imports/k8s.js';
import type { Random } from '../../../../src/kube/clock.js';
import { access, clusterAccess } from './access.js';
import { clusterKinds } from './cluster-kinds.js';
import { configuration } from './configuration.js';
import { custom, gadgetCases } from './custom.js';
import type { ManifestCase } from './manifest-case.js';
import { network } from './network.js';
import { variationOf } from './variation.js';
import { workloads } from './workloads.js';

const written = [
  ...workloads,
  ...network,
  ...configuration,
  ...access,
  ...clusterAccess,
  ...clusterKinds,
  ...custom,
  ...gadgetCases('v1'),
];

/** What custom resources may be composed of: each as it is written, and in other words. */
export function manifests(random: Random): readonly ManifestCase[] {
  // A definition has the name of its kind, and two of one kind cannot be.
  const others = written.filter(({ resource }) => resource.kind !== 'CustomResourceDefinition');
  return [...written, ...others.map((each) => variationOf(each, random, 1))];
}

/** What an operator is composed of that has stayed with older versions of two kinds. */
export function olderManifests(): readonly ManifestCase[] {
  const autoscalers: readonly ManifestCase[] = [
    { targetCPUUtilizationPercentage: 50 },
    { minReplicas: 1 },
    { minReplicas: null },
  ].map((fields, index) => ({
    title: `HorizontalPodAutoscaler of the first version ${index}`,
    resource: HorizontalPodAutoscalerV1,
    body: {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'none', apiVersion: 'apps/v1' }, maxReplicas: 3, ...fields },
    },
  }));
  return [...autoscalers, ...gadgetCases('v1alpha1')];
}
