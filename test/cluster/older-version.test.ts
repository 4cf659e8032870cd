import { beforeAll, expect, it } from '@jest/globals';
import { Deployment, ResourceClaimTemplate } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { eventually } from './eventually.js';
import { featuresOf } from './features-of.js';
import { onRealCluster } from './on-real-cluster.js';
import { Stage } from './stage.js';

/** The oldest that the API server of the tests can play. One that is older itself, as `KUBEBUILDER_ASSETS` may name, plays nothing. */
const emulatedVersion = '1.33';
const group = 'old.example.com';

const Web = customResource({ group, version: 'v1', kind: 'Web', spec: s.object({ replicas: s.int32() }) });
const Picky = customResource({ group, version: 'v1', kind: 'Picky', plural: 'pickies', spec: s.object({}) });
const Device = customResource({ group, version: 'v1', kind: 'Device', spec: s.object({}) });

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const web = operator(Web, {
  owns: [Deployment],
  compose(scope, { spec: { replicas } }) {
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
    new Deployment(scope, 'server', { spec: { replicas, selector, template } });
  },
});
const picky = operator(Picky, {
  owns: [Deployment],
  compose(scope) {
    // Of 1.34, and without a feature gate of 1.35.
    const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [3] } } as const;
    const container = { name: 'web', image: 'nginx:1', restartPolicy: 'Always', restartPolicyRules: [rule] } as const;
    const template = { metadata: { labels }, spec: { containers: [container] } };
    new Deployment(scope, 'server', { spec: { replicas: 1, selector, template } });
  },
});
const device = operator(Device, {
  owns: [ResourceClaimTemplate],
  compose(scope) {
    new ResourceClaimTemplate(scope, 'claim', { spec: { spec: {} } });
  },
});

onRealCluster(
  `on Kubernetes ${emulatedVersion}, a controller`,
  { emulatedVersion, controllerManager: true },
  (plane) => {
    const stage = new Stage(plane, [Web.crd(), Picky.crd(), Device.crd()]);
    let played: string;
    let isEmulated: boolean;
    // A kind that is not served keeps no store from being filled.
    beforeAll(async () => {
      const { minor, emulationMinor = minor } = JSON.parse(
        (await plane().kubectl(['get', '--raw', '/version'])).stdout,
      ) as { readonly minor: string; readonly emulationMinor?: string };
      played = `1.${emulationMinor}`;
      isEmulated = emulationMinor !== minor;
      await stage.start([web, picky, device]);
    }, 60_000);

    it('works though lists are not streamed', async () => {
      if (isEmulated) expect(played).toBe(emulatedVersion);
      if (!featuresOf(`v${played}`).streamsLists) {
        const streamed = stage.admin.watch(Deployment, { sendInitialEvents: true, resourceVersion: '' });
        await expect((streamed as AsyncIterator<unknown> & typeof streamed).next()).rejects.toThrow(
          'WatchList feature gate',
        );
      }

      await stage.wish(Web, 'a', { replicas: 1 });
      await eventually(async () => expect((await stage.get(Deployment, 'a-server')).spec?.replicas).toBe(1));
      await stage.change(Deployment, 'a-server', { spec: { replicas: 3 } });
      await eventually(async () => expect((await stage.get(Deployment, 'a-server')).spec?.replicas).toBe(1));
    });

    it('says which fields of a child that version drops, or does not know', async () => {
      await stage.wish(Picky, 'b', {});
      const at = 'spec.template.spec.containers[0].';
      if (!isEmulated) {
        // One of its own time has never heard of them.
        await stage.says(Picky, 'b', 'ApplyFailed', 'restartPolicyRules');
        return;
      }
      await eventually(() => stage.get(Deployment, 'b-server'));
      const told = () => stage.lines.filter(({ msg }) => msg === 'The API server dropped fields of a child');
      await eventually(() =>
        expect(told().map(({ child, fields }) => [child, fields])).toEqual([
          ['Deployment/b-server', [`${at}restartPolicy`, `${at}restartPolicyRules`]],
        ]),
      );
    });

    it('says of a custom resource that it needs a kind which that version does not serve', async () => {
      await stage.wish(Device, 'a', {});
      await stage.says(Device, 'a', 'KindNotServed', 'does not serve resourceclaimtemplates.resource.k8s.io in v1');
    });
  },
);
