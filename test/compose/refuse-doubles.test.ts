import { expect, it } from '@jest/globals';
import { CronJob, Deployment, Pod } from '../../imports/k8s.js';
import { aCache, composing } from './a-cache.js';

type PodSpec = NonNullable<ConstructorParameters<typeof Pod>[2]>['spec'];
const composed = (pod: PodSpec) =>
  composing((scope) => {
    const template = { metadata: { labels: { app: 'a' } }, spec: pod };
    new Deployment(scope, 'server', { spec: { selector: { matchLabels: { app: 'a' } }, template } });
  }).desired(aCache);
const container = { name: 'main', image: 'busybox' };
const twice = [
  { name: 'A', value: '1' },
  { name: 'B', value: '2' },
  { name: 'A', value: '3' },
];

it.each<[string, PodSpec, string]>([
  [
    'a variable',
    { containers: [container, { ...container, name: 'side', env: twice }] },
    'spec.template.spec.containers[1].env that have name "A"',
  ],
  [
    'a variable of a container that runs before',
    { initContainers: [{ ...container, name: 'init', env: twice }], containers: [container] },
    'spec.template.spec.initContainers[0].env that have name "A"',
  ],
  [
    'a port',
    {
      containers: [{ ...container, ports: [{ containerPort: 80 }, { name: 'b', containerPort: 80, protocol: 'TCP' }] }],
    },
    'spec.template.spec.containers[0].ports that have containerPort 80 and protocol "TCP"',
  ],
  [
    'a pull secret',
    { containers: [container], imagePullSecrets: [{ name: 'x' }, { name: 'x' }] },
    'spec.template.spec.imagePullSecrets that have name "x"',
  ],
])('%s that is there twice is named, since the API server takes it once and never again', (_, pod, words) => {
  expect(() => composed(pod)).toThrow(`Cache composes Deployment/cache-server with two entries in ${words}`);
});

it('a variable that is there twice is named wherever there is a Pod', () => {
  const spec = { containers: [{ ...container, env: twice }], restartPolicy: 'Never' } as const;
  const jobs = { schedule: '* * * * *', jobTemplate: { spec: { template: { spec } } } };
  expect(() => composing((scope) => void new Pod(scope, 'one', { spec }), [Pod]).desired(aCache)).toThrow('in spec.');
  expect(() => composing((scope) => void new CronJob(scope, 'one', { spec: jobs }), [CronJob]).desired(aCache)).toThrow(
    'in spec.jobTemplate.spec.template.spec.containers[0].env',
  );
});

it('one port for two protocols is none that is there twice', () => {
  const ports = [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] as const;
  expect(() => composed({ containers: [{ ...container, ports }] })).not.toThrow();
});
