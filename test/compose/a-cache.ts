import type { Construct } from 'constructs';
import { ConfigMap, Deployment, Secret, Service } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { ApiResource } from '../../src/kube/api-resource.js';

/** The smallest custom resource that has everything: a required field, one with a default, and a status. */
export const Cache = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Cache',
  spec: s.object({ size: s.int32({ minimum: 0, maximum: 10 }), image: s.string({ default: 'cache:1' }) }),
  status: s.object({ ready: s.int32(), note: s.string({ optional: true }) }),
});

/** As a person writes it. */
export const aCache = { metadata: { name: 'cache', namespace: 'prod' }, spec: { size: 3 } };

/** An operator that composes what a test says. */
export function composing(
  compose: (scope: Construct, cr: { readonly spec: { readonly size: number; readonly image: string } }) => void,
  owns: readonly ApiResource[] = [Deployment, Service, ConfigMap, Secret],
) {
  return operator(Cache, { owns, compose });
}
