/** Longer than most files: one house, and all those who have a say in it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Deployment, HorizontalPodAutoscaler, Service } from '../../../imports/k8s.js';
import type { DriftInput } from '../../../src/compose/operator-input.js';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster, onRealCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Web = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({
    image: s.string({ default: 'nginx:1' }),
    /** Zero: not declared. */
    replicas: s.int32({ default: 3 }),
    cpu: s.string({ default: '1' }),
  }),
});
const web = (drift: DriftInput = {}) =>
  operator(Web, {
    owns: [Deployment, Service],
    drift,
    compose(scope, { metadata, spec }) {
      const labels = { app: metadata.name };
      const resources = spec.cpu === '' ? {} : { resources: { requests: { cpu: spec.cpu } } };
      new Deployment(scope, 'server', {
        spec: {
          ...(spec.replicas === 0 ? {} : { replicas: spec.replicas }),
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: spec.image, ...resources }] } },
        },
      });
      new Service(scope, 'service', { spec: { type: 'NodePort', selector: labels, ports: [{ port: 80 }] } });
    },
  });
const replicasAreOthers: DriftInput = { rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }] };

interface Deployed extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly { readonly name: string; readonly image: string; readonly resources: object }[];
      };
    };
  };
}

/** One custom resource at a time, each in a namespace of its own, and those who deal with its Deployment. */
class House {
  static #number = 0;
  private constructor(
    readonly stage: Stage,
    readonly namespace: string,
  ) {}

  static async in(stage: Stage, drift: DriftInput = {}, spec: object = {}): Promise<House> {
    const house = new House(stage, `house-${House.#number++}`);
    await stage.namespace(house.namespace);
    await stage.stop();
    await stage.start([web(drift)]);
    await stage.create(Web, { metadata: { name: 'site', namespace: house.namespace }, spec });
    await stage.settled(Web, { namespace: house.namespace, name: 'site' });
    await stage.quiet();
    return house;
  }

  async edit(spec: object): Promise<void> {
    const patch = { type: 'merge', body: { spec } } as const;
    await this.stage.admin.patch(Web, { namespace: this.namespace, name: 'site' }, patch, { fieldManager: 'user' });
    await this.stage.quiet();
  }

  /** The same house under an operator with other rules. */
  async under(drift: DriftInput): Promise<void> {
    await this.stage.stop();
    await this.stage.start([web(drift)]);
    await this.stage.quiet();
  }

  async scale(replicas: number, fieldManager: string): Promise<void> {
    const patch = { type: 'merge', body: { spec: { replicas } } } as const;
    await this.stage.admin.patch(Deployment, this.server, patch, { fieldManager, subresource: 'scale' });
    await this.stage.quiet();
  }

  async change(body: object, fieldManager: string, resource: ApiResource = Deployment, id = 'server'): Promise<void> {
    const target = { namespace: this.namespace, name: `site-${id}` };
    await this.stage.admin.patch(resource, target, { type: 'strategic', body }, { fieldManager });
    await this.stage.quiet();
  }

  get server() {
    return { namespace: this.namespace, name: 'site-server' };
  }
  async deployed(): Promise<Deployed> {
    return (await this.stage.admin.get(Deployment, this.server)) as Deployed;
  }
  async replicas(): Promise<number> {
    return (await this.deployed()).spec.replicas;
  }
  async container() {
    return (await this.deployed()).spec.template.spec.containers[0];
  }
  async conditions(): Promise<string[]> {
    const target = { namespace: this.namespace, name: 'site' };
    const { status } = (await this.stage.admin.get(Web, target)) as unknown as {
      status: { conditions: { type: string }[] };
    };
    return status.conditions.map(({ type }) => type).filter((type) => !/^(Ready|Reconciling)$/.test(type));
  }
}

onEveryCluster('a field that is another’s', {}, (plane) => {
  const stage = new Stage(plane, [Web.crd()]);

  it.each(['kube-controller-manager', 'keda'])(
    'D-22: is how many replicas there are, once %s has scaled',
    async (autoscaler) => {
      const house = await House.in(stage);
      await house.scale(7, autoscaler);
      expect(await house.replicas()).toBe(7);
      await house.edit({ image: 'nginx:2', replicas: 4 });
      expect((await house.container())?.image).toBe('nginx:2');
      expect(await house.replicas()).toBe(7);
      await house.under({});
      expect(await house.replicas()).toBe(7);
      expect(await house.conditions()).toEqual([]);
    },
  );

  it('is taken back from an autoscaler by a rule, or when a person scales', async () => {
    const house = await House.in(stage);
    await house.scale(7, 'kube-controller-manager');
    await house.under({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'enforce' }] });
    expect(await house.replicas()).toBe(3);

    const other = await House.in(stage);
    await other.scale(7, 'kube-controller-manager');
    await other.scale(5, 'kubectl');
    expect(await other.replicas()).toBe(3);
  });

  it('is told to be taken back from a person, though another image was applied since an autoscaler had it', async () => {
    const house = await House.in(stage);
    await house.scale(7, 'kube-controller-manager');
    await house.edit({ image: 'nginx:2' });
    await house.scale(5, 'kubectl');
    expect(await house.replicas()).toBe(3);
    const told = stage.lines.filter(({ msg, namespace }) => msg === 'Corrected drift' && namespace === house.namespace);
    expect(told.map(({ fields }) => fields)).toEqual([['spec.replicas 3 → 5 by kubectl (Update)']]);
  });

  it('is not what a person scales, unless that is said', async () => {
    const house = await House.in(stage);
    await house.scale(7, 'kubectl');
    expect(await house.replicas()).toBe(3);

    const other = await House.in(stage, replicasAreOthers);
    await other.scale(7, 'kubectl');
    expect(await other.replicas()).toBe(7);
    await other.edit({ image: 'nginx:2' });
    expect(await other.replicas()).toBe(7);
    await other.under({});
    expect(await other.replicas()).toBe(3);
  });

  it.each([
    ['after an apply', { image: 'nginx:2' }],
    ['as it was created', undefined],
  ])('is not reset when it is no longer declared, %s', async (_, before) => {
    const house = await House.in(stage);
    if (before) await house.edit(before);
    await house.edit({ replicas: 0, image: 'nginx:3' });
    expect((await house.container())?.image).toBe('nginx:3');
    expect(await house.replicas()).toBe(3);

    await house.scale(6, 'kube-controller-manager');
    await house.edit({ image: 'nginx:4' });
    expect(await house.replicas()).toBe(6);
  });

  it('is the resources of a container, when they are left to a recommender', async () => {
    const house = await House.in(stage, {
      rules: [{ kind: Deployment, field: 'spec.template.spec.containers[*].resources', mode: 'ignore' }],
    });
    await house.edit({ cpu: '', image: 'nginx:2' });
    expect(await house.container()).toMatchObject({ image: 'nginx:2', resources: { requests: { cpu: '1' } } });

    const recommended = { containers: [{ name: 'web', resources: { requests: { cpu: '250m', memory: '1Gi' } } }] };
    await house.change({ spec: { template: { spec: recommended } } }, 'recommender');
    await house.edit({ cpu: '2', image: 'nginx:3' });
    expect(await house.container()).toMatchObject({
      image: 'nginx:3',
      resources: { requests: { cpu: '250m', memory: '1Gi' } },
    });
    expect(await house.conditions()).toEqual([]);
  });

  it('is the note of a restart that somebody asked for', async () => {
    const house = await House.in(stage, { strict: true });
    const annotations = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };
    await house.change({ spec: { template: { metadata: { annotations } } } }, 'kubectl-rollout');
    await house.edit({ image: 'nginx:2' });
    expect((await house.deployed()).spec.template.metadata.annotations).toEqual(annotations);
    expect(await house.conditions()).toEqual([]);
  });

  it('is what the cluster assigned', async () => {
    const house = await House.in(stage, { strict: true });
    const target = { namespace: house.namespace, name: 'site-service' };
    const assigned = async () => {
      const { spec } = (await stage.admin.get(Service, target)) as unknown as {
        spec: { clusterIP: string; ports: { nodePort: number }[] };
      };
      return [spec.clusterIP, spec.ports[0]?.nodePort];
    };
    const before = await assigned();
    await house.change({ spec: { sessionAffinity: 'ClientIP' } }, 'somebody', Service, 'service');
    await house.edit({ image: 'nginx:2' });
    expect(await assigned()).toEqual(before);
    expect(await house.conditions()).toEqual([]);
  });
});

onRealCluster('on a real cluster, others write by themselves:', { controllerManager: true, audit: true }, (plane) => {
  const stage = new Stage(plane, [Web.crd()]);

  it('D-22: an autoscaler takes the replicas without ever meeting one', async () => {
    const house = await House.in(stage);
    await house.edit({ replicas: 0 });
    expect(await house.replicas()).toBe(3);
    await stage.create(HorizontalPodAutoscaler, {
      metadata: { name: 'scaler', namespace: house.namespace },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'site-server' },
        minReplicas: 5,
        maxReplicas: 9,
      },
    });
    await eventually(async () => expect(await house.replicas()).toBe(5), 60);
    // What our POST left of the number is let go as soon as the autoscaler has it.
    await eventually(async () => {
      const { managedFields = [] } = (await house.deployed()).metadata;
      expect(managedFields.filter(({ manager }) => manager === 'web').map(({ operation }) => operation)).toEqual([
        'Apply',
      ]);
    });
    await stage.quiet();
    const writes = await stage.writesDuring(async () => {
      await house.edit({ replicas: 3, image: 'nginx:2' });
      await stage.quiet();
    });
    expect(await house.replicas()).toBe(5);
    expect((await house.container())?.image).toBe('nginx:2');
    const accepted = writes.filter(
      ({ objectRef, responseStatus }) => objectRef?.resource === 'deployments' && responseStatus?.code === 200,
    );
    expect(accepted).toHaveLength(1);
    expect(await house.conditions()).toEqual([]);
  });

  describe('an admission policy that adds a sidecar and changes a value', () => {
    const policies: ApiResource = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      plural: 'mutatingadmissionpolicies',
      namespaced: false,
    };
    const bindings = { ...policies, kind: 'MutatingAdmissionPolicyBinding', plural: 'mutatingadmissionpolicybindings' };
    const mutate = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
    beforeAll(async () => {
      await stage.create(policies, {
        metadata: { name: 'inject' },
        spec: {
          failurePolicy: 'Fail',
          reinvocationPolicy: 'Never',
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['apps'],
                apiVersions: ['v1'],
                resources: ['deployments'],
                operations: ['CREATE', 'UPDATE'],
              },
            ],
          },
          mutations: [
            mutate(
              'Object{spec: Object.spec{replicas: has(object.metadata.annotations) && "example.com/more" in object.metadata.annotations ? 9 : 8, template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "sidecar", image: "envoy"}]}}}}',
            ),
          ],
        },
      });
      await stage.create(bindings, { metadata: { name: 'inject' }, spec: { policyName: 'inject' } });
    });

    it('D-20: has its way, and is not fought', async () => {
      // Until the policy holds nothing tells that it does.
      const probe = await House.in(stage);
      await eventually(async () => {
        await probe.change({ metadata: { annotations: { 'example.com/try': String(Math.random()) } } }, 'somebody');
        expect(await probe.replicas()).toBe(8);
      }, 30);
      const house = await House.in(stage);
      expect(await house.replicas()).toBe(8);
      const writes = await stage.writesDuring(async () => {
        await house.edit({ image: 'nginx:2' });
        await house.change({ metadata: { annotations: { 'example.com/note': 'x' } } }, 'somebody');
        await stage.quiet();
      });
      const containers = (await house.deployed()).spec.template.spec.containers.map(
        ({ name, image }) => `${name} ${image}`,
      );
      expect(containers.sort()).toEqual(['sidecar envoy', 'web nginx:2']);
      expect(writes.filter(({ objectRef }) => objectRef?.resource === 'deployments').length).toBeLessThanOrEqual(4);
      expect(await house.conditions()).toEqual([]);
    });

    it('is not said to be corrected where it keeps its own value', async () => {
      const house = await House.in(stage);
      await eventually(async () => expect(await house.replicas()).toBe(8));
      const lines = stage.lines.length;
      await house.change({ metadata: { annotations: { 'example.com/more': 'x' } } }, 'somebody');
      expect(await house.replicas()).toBe(9);
      await stage.quiet();
      expect(stage.lines.slice(lines).filter(({ msg }) => msg === 'Corrected drift')).toEqual([]);
      expect(await house.conditions()).toEqual([]);
    });
  });
});
