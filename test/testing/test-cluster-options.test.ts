import { expect, it } from '@jest/globals';
import { Deployment, Job } from '../../imports/k8s.js';
import { DefinitionError, OperatorError } from '../../src/kube/errors.js';
import { memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/index.js';

const containers = [{ name: 'one', image: 'one:1' }];
const labels = { app: 'one' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
};
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'one' },
  spec: { template: { spec: { restartPolicy: 'Never', containers } } },
};

it.each([
  ['nothing', {}, 1, 1],
  ['how long those of Jobs run', { succeedAfterSeconds: 5 }, 1, 1],
  ['which fail', { fails: () => 'CrashLoopBackOff' }, undefined, undefined],
])('Pods of which a test says %s are ready after a second, as by default', async (_, pods, ready, succeeded) => {
  const cluster = await startCluster({ controllers: { pods } });
  await cluster.apply(deployment);
  await cluster.apply(job);
  await cluster.advance(1);
  expect((await cluster.get(Deployment, 'one')).status?.readyReplicas).toBe(ready);
  await cluster.advance(60);
  expect((await cluster.get(Job, 'one')).status?.succeeded).toBe(succeeded);
  await cluster.stop();
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, '5'])('a life of Pods of %p seconds is refused', async (odd) => {
  const answer = startCluster({ controllers: { pods: { readyAfterSeconds: odd as never } } });
  await expect(answer).rejects.toThrow(OperatorError);
  await expect(answer).rejects.toThrow('controllers.pods.readyAfterSeconds takes a number of seconds');
});

it.each([
  ['seeds', { seeds: 2 }],
  ['controllers.pod', { controllers: { pod: false } }],
  ['controllers.pods.readyAfter', { controllers: { pods: { readyAfter: 60 } } }],
])('a misspelt option of a cluster is refused, as in JavaScript: %s', async (path, options) => {
  const answer = startCluster(options as never);
  await expect(answer).rejects.toThrow(DefinitionError);
  await expect(answer).rejects.toThrow(`startCluster: "${path}" means nothing`);
});

it('a misspelt option of a controller is refused, as in JavaScript', async () => {
  const cluster = await startCluster();
  const answer = cluster.run(memcached, { leaderElection: true } as never);
  await expect(answer).rejects.toThrow('run: "leaderElection" means nothing');
  await cluster.stop();
});
