import { DaemonSet } from '../../imports/k8s.js';
import { customResource, labelValue, operator, s } from '../index.js';

const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

export const Genericdaemon = customResource({
  group: 'mydomain.com',
  version: 'v1beta1',
  kind: 'Genericdaemon',
  categories: ['kilter'],
  description: 'Genericdaemon runs an image once on each node that has a label.',
  spec: s.object({
    image: s.string({ pattern: '^[!-~]+$', description: 'Image that runs on each node.' }),
    label: s.string({
      optional: true,
      maxLength: 317,
      pattern: `^((${subdomain}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$`,
      rules: [{ rule: "self.indexOf('/') <= 253", message: 'what stands before the / has at most 253 characters' }],
      description: 'It runs on nodes where this label is "true"; on all of them if it is not given.',
    }),
  }),
  status: s.object({
    installed: s.int32({ description: 'How many nodes it is ready on.' }),
  }),
  columns: { Image: '.spec.image', Label: '.spec.label', Installed: '.status.installed' },
});

export const genericdaemon = operator(Genericdaemon, {
  owns: [DaemonSet],
  compose(scope, { metadata, spec: { image, label } }) {
    const labels = { 'mydomain.com/name': labelValue(metadata.name) };
    const daemon = new DaemonSet(scope, 'daemon', {
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            ...(label ? { nodeSelector: { [label]: 'true' } } : {}),
            containers: [{ name: 'daemon', image }],
          },
        },
      },
    });
    return { daemon };
  },
  status: ({ daemon }) => ({ installed: daemon?.status?.numberReady ?? 0 }),
});
