import { dns1123LabelName } from '../../../schema/name-formats.js';
import type { Rules } from '../../kinds/served-kind.js';
import { keepSpec, keepStatus, statusApart } from '../status-apart.js';
import { clusterIpChangeProblems } from './cluster-ip-problems.js';
import { allocateClusterIp, allocateSecondIp, decideFamilies } from './cluster-ips.js';
import { loadBalancerStatusProblems, loadBalancerWarnings } from './load-balancer-status.js';
import { allocateNodePorts, reallocateNodePorts } from './node-ports.js';
import { draftSpec, type Service, specOf } from './service.js';
import { alignClusterIps, dropWhatTypeHasNot, keepAllocated, shownService, withAddresses } from './service-changes.js';
import { defaultService } from './service-defaults.js';
import { loadBalancerChangeProblems, serviceProblems } from './service-problems.js';
import { serviceWarnings } from './service-warnings.js';

/**
 * The rules of services: https://kubernetes.io/docs/concepts/services-networking/service/
 *
 * Addresses and ports are allocated from the ranges of a cluster with `--service-cluster-ip-range=10.0.0.0/16`, and are
 * free again as soon as no service in the store has them.
 */
export const serviceRules: Rules = {
  default: defaultService,
  prepareForCreate(object, world, dryRun = false) {
    draftSpec(object);
    const service = object as unknown as Service;
    alignClusterIps(service, undefined);
    decideFamilies(service, undefined);
    allocateClusterIp(service, world, dryRun);
    allocateNodePorts(service, world, dryRun);
    service.status = { loadBalancer: {} };
  },
  prepareForUpdate(object, before, world, dryRun = false) {
    const old = withAddresses(before);
    const spec = draftSpec(object);
    const service = object as unknown as Service;
    keepAllocated(service, old);
    alignClusterIps(service, old);
    decideFamilies(service, old);
    if (specOf(old).type !== 'ExternalName') allocateSecondIp(service, specOf(old), world);
    else if (spec.type !== 'ExternalName') allocateClusterIp(service, world, dryRun);
    reallocateNodePorts(service, old, world, dryRun);
    keepStatus(object, old);
    dropWhatTypeHasNot(service, old);
  },
  validate: (service) => serviceProblems(service),
  validateUpdate(service, before) {
    const old = withAddresses(before);
    return [
      ...clusterIpChangeProblems(specOf(service), specOf(old)),
      ...loadBalancerChangeProblems(specOf(service), specOf(old)),
      ...serviceProblems(service, old),
    ];
  },
  validateStatusUpdate: loadBalancerStatusProblems,
  prepareForStatusUpdate: keepSpec,
  warnings: serviceWarnings,
  statusWarnings: loadBalancerWarnings,
  show: shownService,
  nameProblems: dns1123LabelName,
  resetFields: statusApart({}).resetFields,
  allowsCreateOnUpdate: true,
};
