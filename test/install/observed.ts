import { expect } from '@jest/globals';
import type { PolicyRule } from '../../src/kube/policy-rule.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { eventually } from '../cluster/eventually.js';

interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: object;
  readonly spec: { readonly containers: { readonly securityContext: { allowPrivilegeEscalation: boolean } }[] };
}

/** A pod as the Deployment in the cluster would make it. */
export async function podOf(plane: ControlPlane, namespace: string, deployment: string): Promise<Pod> {
  const { stdout } = await plane.kubectl(['get', 'deployment', deployment, '-n', namespace, '-o', 'json']);
  const { metadata, spec } = (JSON.parse(stdout) as { spec: { template: { metadata: object; spec: Pod['spec'] } } })
    .spec.template;
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'one', namespace }, spec };
}

/** What `user` may do in `namespace`, by the server's own word, less what every account may: one line a resource. */
export async function rightsOf(plane: ControlPlane, user: string, namespace: string): Promise<readonly string[]> {
  const everybodys = await allRightsOf(plane, 'system:serviceaccount:default:somebody', namespace);
  return (await allRightsOf(plane, user, namespace)).filter((line) => !everybodys.includes(line));
}

async function allRightsOf(plane: ControlPlane, user: string, namespace: string): Promise<readonly string[]> {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } };
  const { stdout } = await plane.kubectl(['create', '-f', '-', '-o', 'json', '--validate=false', `--as=${user}`], {
    stdin: JSON.stringify(review),
  });
  const { resourceRules, incomplete } = (
    JSON.parse(stdout) as { status: { resourceRules: PolicyRule[]; incomplete: boolean } }
  ).status;
  if (incomplete) throw new Error(`the server does not know all rights of ${user}`);
  const verbs = new Map<string, Set<string>>();
  for (const rule of resourceRules) {
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        const key = `${group}/${resource}${rule.resourceNames ? `[${rule.resourceNames.join()}]` : ''}`;
        verbs.set(key, new Set([...(verbs.get(key) ?? []), ...rule.verbs]));
      }
    }
  }
  return [...verbs].map(([key, each]) => `${key}: ${[...each].sort().join()}`).sort();
}

/** The verbs on `resource` that Kubernetes' own `role` has by now, which the controller of aggregation gives it. */
export async function aggregated(plane: ControlPlane, role: string, resource: string): Promise<readonly string[]> {
  const { stdout } = await plane.kubectl(['get', 'clusterrole', role, '-o', 'json']);
  const { rules } = JSON.parse(stdout) as { rules: PolicyRule[] | null };
  const verbs = new Set(rules?.filter((rule) => rule.resources?.includes(resource)).flatMap((rule) => rule.verbs));
  return [...verbs].sort();
}

/** Waits until the authorizer, which hears of bindings by a watch, lets `user` read metrics. */
export async function untilReadsMetrics({ kubectl }: ControlPlane, user: string): Promise<void> {
  const asked = ['auth', 'can-i', 'get', '/metrics', `--as=${user}`];
  await eventually(async () => expect((await kubectl(asked, { allowFailure: true })).stdout.trim()).toBe('yes'));
}
