import { expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { DaemonSet, Deployment, Namespace } from '../../imports/k8s.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { operators } from '../../src/operators/all.js';
import { addSamples } from '../../src/operators/samples.js';
import { startCluster } from '../../src/testing/index.js';

it('S-04: what the shipped operators make for the samples keeps to the baseline of Pod security', async () => {
  const chart = new Chart(new App(), 'samples');
  addSamples(chart);
  const cluster = await startCluster();
  const labels = { 'pod-security.kubernetes.io/warn': 'baseline' };
  await cluster.patch(Namespace, 'default', { metadata: { labels } });
  const controller = await cluster.run(operators);
  for (const manifest of chart.toJson() as Manifest[]) await cluster.apply(manifest);
  await cluster.settled();
  const made = [...(await cluster.list(Deployment)), ...(await cluster.list(DaemonSet))];
  const heard = controller.log.filter(({ message }) => message === 'Heard a warning from the API server');
  await cluster.stop();
  expect(made.map(({ kind }) => kind).sort()).toEqual(['DaemonSet', 'Deployment', 'Deployment', 'Deployment']);
  expect(heard).toEqual([]);
});
