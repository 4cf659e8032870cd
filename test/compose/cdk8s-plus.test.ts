import { expect, it } from '@jest/globals';
import { App, Chart, Cron, Size } from 'cdk8s';
import * as plus from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { composing } from './a-cache.js';

const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: ['ConfigMap', 'Service', 'Pod', 'ServiceAccount', 'PersistentVolumeClaim'],
  'apps/v1': ['Deployment', 'StatefulSet', 'DaemonSet'],
  'batch/v1': ['Job', 'CronJob'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
};
const owns = Object.entries(kinds).flatMap(([apiVersion, names]) =>
  names.map((kind) => ({ apiVersion, kind, plural: `${kind.toLowerCase()}s`, namespaced: true })),
);
const containers = [{ image: 'cache:1', portNumber: 80, resources: { cpu: { request: plus.Cpu.millis(500) } } }];
const service = (scope: Construct) => new plus.Service(scope, 'service', { ports: [{ port: 80 }] });

/** What `build` makes, without what the tree that it is made in says: names, and the selectors that follow from them. */
function said(objects: readonly object[]): unknown {
  const isOfTree = (key: string) => key === 'metadata' || key.startsWith('cdk8s.io/metadata') || key === 'name';
  const text = JSON.stringify(objects, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !isOfTree(key)))
      : value,
  );
  return JSON.parse(text) as unknown;
}

it.each<[string, (scope: Construct) => void]>([
  ['a ConfigMap without binary data', (scope) => void new plus.ConfigMap(scope, 'a', { data: { a: 'b' } })],
  ['an empty ConfigMap', (scope) => void new plus.ConfigMap(scope, 'a')],
  ['an empty claim', (scope) => void new plus.PersistentVolumeClaim(scope, 'a')],
  ['a claim', (scope) => void new plus.PersistentVolumeClaim(scope, 'a', { storage: Size.gibibytes(5) })],
  ['a Deployment that is spread', (scope) => void new plus.Deployment(scope, 'a', { containers, spread: true })],
  ['a StatefulSet', (scope) => void new plus.StatefulSet(scope, 'a', { containers, service: service(scope) })],
  ['a DaemonSet', (scope) => void new plus.DaemonSet(scope, 'a', { containers })],
  ['a Job', (scope) => void new plus.Job(scope, 'a', { containers, backoffLimit: 2 })],
  ['a CronJob', (scope) => void new plus.CronJob(scope, 'a', { containers, schedule: Cron.daily() })],
  ['a Pod', (scope) => void new plus.Pod(scope, 'a', { containers })],
  ['a NetworkPolicy', (scope) => void new plus.NetworkPolicy(scope, 'a')],
  ['an Ingress', (scope) => new plus.Ingress(scope, 'a').addRule('/', plus.IngressBackend.fromService(service(scope)))],
  [
    'a Role and its binding',
    (scope) => {
      const role = new plus.Role(scope, 'a');
      role.allowRead(plus.ApiResource.PODS);
      role.bind(new plus.ServiceAccount(scope, 'account'));
    },
  ],
  [
    'an autoscaler',
    (scope) => {
      const target = new plus.StatefulSet(scope, 'b', { containers, service: service(scope) });
      target.hasAutoscaler = true;
      new plus.HorizontalPodAutoscaler(scope, 'a', { target, maxReplicas: 4 });
    },
  ],
])('%s of cdk8s-plus is composed as cdk8s renders it', (_, build) => {
  const chart = new Chart(new App(), 'c', { namespace: 'd', disableResourceNameHashes: true });
  build(chart);
  const composed = composing(build, owns).desired({ metadata: { name: 'c', namespace: 'd' }, spec: { size: 1 } });
  expect(said(composed)).toEqual(said(chart.toJson() as object[]));
});
