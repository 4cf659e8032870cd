/** Longer than most files: one table of stories, each a few lines of steps. */
import {
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  Secret,
  Service,
  StatefulSet,
} from '../../../imports/k8s.js';
import type { Cluster, DeleteOptions } from '../../../src/client/cluster.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { eventually } from '../../cluster/eventually.js';

/** What a person or a kubelet does in one namespace of a cluster. */
export class Hands {
  constructor(
    readonly cluster: Cluster,
    readonly namespace: string,
  ) {}

  create(resource: ApiResource, name: string, body: object = {}, metadata: object = {}): Promise<KubeObject> {
    const { apiVersion, kind } = resource;
    const manifest = { apiVersion, kind, metadata: { name, namespace: this.namespace, ...metadata }, ...body };
    return this.cluster.create(resource, manifest, { fieldManager: 'story' });
  }

  patch(resource: ApiResource, name: string, body: unknown, subresource?: 'status'): Promise<KubeObject> {
    const options = { fieldManager: 'story', ...(subresource ? { subresource } : {}) };
    return this.cluster.patch(resource, { namespace: this.namespace, name }, { type: 'merge', body }, options);
  }

  delete(resource: ApiResource, name: string, options: DeleteOptions = {}): Promise<void> {
    return this.cluster.delete(resource, { namespace: this.namespace, name }, options);
  }

  get(resource: ApiResource, name: string): Promise<KubeObject> {
    return this.cluster.get(resource, { namespace: this.namespace, name });
  }

  async pods(): Promise<readonly KubeObject[]> {
    return (await this.cluster.list(Pod, { namespace: this.namespace })).items;
  }

  /** Says of the Pods what a kubelet would. Addresses go by the order of names, so that they are the same anywhere. */
  async mark(phase: 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
    const at = '2026-01-02T03:04:05Z';
    const condition = (type: string) => ({
      type,
      status: phase === 'Running' ? 'True' : 'False',
      lastTransitionTime: at,
    });
    const addresses = { podIP: '192.168.7.7', podIPs: [{ ip: '192.168.7.7' }] };
    for (const { metadata, status } of await this.pods()) {
      if (metadata.deletionTimestamp !== undefined || (status as { phase: string }).phase === phase) continue;
      const conditions = ['Ready', 'ContainersReady'].map(condition);
      await this.patch(Pod, metadata.name, { status: { phase, conditions, startTime: at, ...addresses } }, 'status');
    }
  }
}

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const Shelf: ApiResource = { apiVersion: 'story.kilter.dev/v1', kind: 'Shelf', plural: 'shelves', namespaced: true };
const shelves = {
  apiVersion: definitions.apiVersion,
  kind: definitions.kind,
  metadata: { name: 'shelves.story.kilter.dev' },
  spec: {
    group: 'story.kilter.dev',
    scope: 'Namespaced',
    names: { plural: Shelf.plural, kind: Shelf.kind },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** After each step both clusters come to rest, and are compared. */
export interface Step {
  (hands: Hands): Promise<unknown>;
  /** Its progress is told by whether the Deployment was seen while the new revision had no Pod yet, which is a matter of time. */
  readonly isProgressByChance?: boolean;
}

const progressByChance = (step: Step): Step => Object.assign(step, { isProgressByChance: true });

const containers = (image = 'web:1') => [{ name: 'web', image, ports: [{ name: 'http', containerPort: 8080 }] }];
const template = (name: string, more: object = {}) => ({
  metadata: { labels: { app: name }, annotations: { note: 'kept' } },
  spec: { containers: containers(), ...more },
});
const workload = (name: string, more: object = {}) => ({
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...more },
});
const indexed = (completions: number, parallelism: number) => ({
  spec: { completions, parallelism, completionMode: 'Indexed', template: template('each', { restartPolicy: 'Never' }) },
});
const imaged = (image: string) => ({ spec: { template: { spec: { containers: containers(image) } } } });
/** So that at any moment only one Pod waits for its kubelet, and what follows does not depend on who is faster. */
const oneByOne = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
const run: Step = (hands) => hands.mark('Running');
const ownedBy = ({ apiVersion, kind, metadata }: KubeObject, more: object = {}) => ({
  ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more }],
});

async function chain(hands: Hands, more: object = {}): Promise<void> {
  const owner = await hands.create(ConfigMap, 'owner');
  const child = await hands.create(ConfigMap, 'child', {}, ownedBy(owner, more));
  await hands.create(Secret, 'grandchild', {}, ownedBy(child, more));
}

export const stories: Readonly<Record<string, readonly Step[]>> = {
  'a Deployment rolls, is scaled, paused and rolled back': [
    (hands) =>
      hands.create(Deployment, 'web', workload('web', { replicas: 3, revisionHistoryLimit: 1, strategy: oneByOne }), {
        annotations: { a: 'b' },
      }),
    run,
    (hands) => hands.patch(Deployment, 'web', { spec: { replicas: 2 } }),
    (hands) => hands.patch(Deployment, 'web', imaged('web:2')),
    run,
    run,
    run,
    (hands) => hands.patch(Deployment, 'web', { spec: { paused: true }, metadata: { annotations: { a: 'c' } } }),
    (hands) => hands.patch(Deployment, 'web', { spec: { replicas: 4 } }),
    run,
    progressByChance((hands) => hands.patch(Deployment, 'web', { spec: { paused: false, ...imaged('web:1').spec } })),
    run,
    run,
    run,
    run,
    run,
    (hands) => hands.delete(Deployment, 'web', { propagationPolicy: 'Foreground' }),
  ],
  'a Deployment with the strategy Recreate': [
    (hands) => hands.create(Deployment, 'web', workload('web', { replicas: 2, strategy: { type: 'Recreate' } })),
    run,
    (hands) => hands.patch(Deployment, 'web', imaged('web:2')),
    run,
    (hands) => hands.patch(Deployment, 'web', { spec: { replicas: 0 } }),
  ],
  'a Deployment is scaled in the middle of a roll-out': [
    (hands) =>
      hands.create(
        Deployment,
        'web',
        workload('web', { replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }),
      ),
    run,
    (hands) => hands.patch(Deployment, 'web', imaged('web:2')),
    (hands) => hands.patch(Deployment, 'web', { spec: { replicas: 15 } }),
    (hands) => hands.patch(Deployment, 'web', { spec: { replicas: 0 } }),
  ],
  'a ReplicaSet adopts, releases and outlives its owner': [
    (hands) => hands.create(Pod, 'stray', { spec: template('web').spec }, { labels: { app: 'web' } }),
    (hands) => hands.create(ReplicaSet, 'web', workload('web', { replicas: 2 })),
    run,
    (hands) => hands.patch(Pod, 'stray', { metadata: { labels: { app: 'other' } } }),
    (hands) => hands.delete(ReplicaSet, 'web', { propagationPolicy: 'Orphan' }),
  ],
  'a StatefulSet starts in order, rolls to a partition, and is scaled down': [
    (hands) =>
      hands.create(
        StatefulSet,
        'db',
        workload('db', {
          replicas: 2,
          serviceName: 'db',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        }),
      ),
    run,
    run,
    (hands) => hands.patch(StatefulSet, 'db', imaged('web:2')),
    run,
    (hands) => hands.patch(StatefulSet, 'db', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
    run,
    (hands) => hands.patch(StatefulSet, 'db', { spec: { replicas: 1 } }),
  ],
  'a StatefulSet starts all at once, and its claims go with it': [
    (hands) =>
      hands.create(
        StatefulSet,
        'db',
        workload('db', {
          replicas: 2,
          podManagementPolicy: 'Parallel',
          ordinals: { start: 5 },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        }),
      ),
    run,
    (hands) => hands.patch(StatefulSet, 'db', { spec: { replicas: 1 } }),
    (hands) => hands.delete(StatefulSet, 'db'),
  ],
  'a DaemonSet without Nodes': [
    (hands) => hands.create(DaemonSet, 'agent', workload('agent')),
    (hands) => hands.patch(DaemonSet, 'agent', imaged('web:2')),
  ],
  'a Job completes': [
    (hands) =>
      hands.create(Job, 'once', {
        spec: { completions: 2, parallelism: 2, template: template('once', { restartPolicy: 'Never' }) },
      }),
    run,
    (hands) => hands.mark('Succeeded'),
    (hands) => hands.delete(Job, 'once'),
  ],
  'an indexed Job completes': [
    (hands) => hands.create(Job, 'each', indexed(3, 2)),
    (hands) => hands.mark('Succeeded'),
    (hands) => hands.mark('Succeeded'),
  ],
  'an indexed Job gets smaller': [
    (hands) => hands.create(Job, 'each', indexed(4, 4)),
    (hands) => hands.patch(Job, 'each', { spec: { completions: 2, parallelism: 2 } }),
  ],
  'a Job fails': [
    (hands) =>
      hands.create(Job, 'once', { spec: { backoffLimit: 0, template: template('once', { restartPolicy: 'Never' }) } }),
    (hands) => hands.mark('Failed'),
  ],
  'a Job is suspended and resumed': [
    (hands) =>
      hands.create(Job, 'once', { spec: { suspend: true, template: template('once', { restartPolicy: 'Never' }) } }),
    (hands) => hands.patch(Job, 'once', { spec: { suspend: false } }),
    (hands) => hands.patch(Job, 'once', { spec: { suspend: true } }),
  ],
  'a CronJob that waits': [
    (hands) =>
      hands.create(CronJob, 'tick', {
        spec: {
          schedule: '0 0 1 1 *',
          jobTemplate: { spec: { template: template('tick', { restartPolicy: 'Never' }) } },
        },
      }),
  ],
  'a Service leads to Pods as they become ready': [
    (hands) =>
      hands.create(Service, 'web', {
        spec: {
          selector: { app: 'web' },
          ports: [
            { name: 'http', port: 80, targetPort: 'http' },
            { name: 'raw', port: 81 },
          ],
        },
      }),
    (hands) =>
      hands.create(Service, 'bare', { spec: { selector: { app: 'web' }, clusterIP: 'None' } }, { labels: { x: 'y' } }),
    (hands) => hands.create(Service, 'alone', { spec: { ports: [{ port: 80 }] } }),
    async (hands) => {
      const { apiVersion, kind } = Node;
      await hands.cluster.create(
        Node,
        { apiVersion, kind, metadata: { name: 'story-node' } },
        { fieldManager: 'story' },
      );
      const { spec } = template('web', { nodeName: 'story-node', hostname: 'one', subdomain: 'bare' });
      await hands.create(Pod, 'one', { spec }, { labels: { app: 'web' } });
    },
    run,
    (hands) => hands.patch(Service, 'web', { metadata: { labels: { tier: 'front' } } }),
    (hands) => hands.patch(Pod, 'one', { status: { conditions: null } }, 'status'),
    (hands) => hands.patch(Service, 'web', { spec: { publishNotReadyAddresses: true } }),
    (hands) => hands.delete(Service, 'bare'),
    (hands) => hands.patch(Pod, 'one', { metadata: { labels: { app: 'other' } } }),
  ],
  'a PodDisruptionBudget counts': [
    (hands) =>
      hands.create(PodDisruptionBudget, 'none', {
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'none' } } },
      }),
    (hands) =>
      hands.create(PodDisruptionBudget, 'web', {
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
      }),
    (hands) =>
      hands.create(PodDisruptionBudget, 'half', {
        spec: { minAvailable: '50%', selector: { matchLabels: { app: 'big' } } },
      }),
    (hands) => hands.create(Deployment, 'web', workload('web', { replicas: 3 })),
    (hands) => hands.create(Deployment, 'big', workload('big', { replicas: 5 })),
    run,
  ],
  'owners are deleted in the background': [(hands) => chain(hands), (hands) => hands.delete(ConfigMap, 'owner')],
  'owners are deleted in the foreground': [
    (hands) => chain(hands, { blockOwnerDeletion: true }),
    (hands) => hands.patch(ConfigMap, 'child', { metadata: { finalizers: ['example.com/hold'] } }),
    (hands) => hands.delete(ConfigMap, 'owner', { propagationPolicy: 'Foreground' }),
    (hands) => hands.patch(ConfigMap, 'child', { metadata: { finalizers: null } }),
  ],
  'owners leave orphans': [
    (hands) => chain(hands),
    (hands) => hands.delete(ConfigMap, 'owner', { propagationPolicy: 'Orphan' }),
  ],
  'several owners': [
    async (hands) => {
      const one = await hands.create(ConfigMap, 'one');
      const two = await hands.create(ConfigMap, 'two');
      const both = [...ownedBy(one).ownerReferences, ...ownedBy(two, { blockOwnerDeletion: true }).ownerReferences];
      await hands.create(Secret, 'shared', {}, { ownerReferences: both });
    },
    (hands) => hands.delete(ConfigMap, 'two', { propagationPolicy: 'Foreground' }),
    (hands) => hands.delete(ConfigMap, 'one'),
  ],
  'owners that are not there': [
    async (hands) => {
      const owner = await hands.create(ConfigMap, 'owner');
      await hands.create(
        Secret,
        'other-uid',
        {},
        ownedBy({ ...owner, metadata: { ...owner.metadata, uid: 'b7d9a3f0-0000-4000-8000-000000000000' } }),
      );
      await hands.create(
        Secret,
        'other-name',
        {},
        ownedBy({ ...owner, metadata: { ...owner.metadata, name: 'nobody' } }),
      );
      await hands.create(
        Secret,
        'other-kind',
        {},
        ownedBy({ ...owner, apiVersion: 'example.com/v1', kind: 'Nothing' }),
      );
    },
  ],
  'owners go with their kind': [
    (hands) => hands.cluster.create(definitions, shelves, { fieldManager: 'story' }),
    (hands) => eventually(() => hands.create(Shelf, 'one')),
    async (hands) => {
      await hands.create(ConfigMap, 'of-one', {}, ownedBy(await hands.get(Shelf, 'one')));
      await hands.create(ConfigMap, 'of-two', {}, ownedBy(await hands.create(Shelf, 'two')));
    },
    // It takes a while until owners of a kind that is new are looked after.
    (hands) => hands.delete(Shelf, 'one'),
    (hands) => hands.cluster.delete(definitions, { name: shelves.metadata.name }),
  ],
  'a namespace is held, then emptied': [
    async (hands) => {
      await hands.create(Deployment, 'web', workload('web'));
      await hands.create(PersistentVolumeClaim, 'data', {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      });
      await hands.create(ConfigMap, 'held', {}, { finalizers: ['example.com/hold'] });
    },
    (hands) => hands.cluster.delete(Namespace, { name: hands.namespace }),
    (hands) => hands.patch(ConfigMap, 'held', { metadata: { finalizers: null } }),
  ],
};
