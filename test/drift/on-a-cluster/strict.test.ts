import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Service } from '../../../imports/k8s.js';
import type { DriftInput } from '../../../src/compose/operator-input.js';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';
import { conditionIn } from '../../condition-in.js';

const kindOf = (kind: string) =>
  customResource({
    group: 'strict.example.com',
    version: 'v1',
    kind,
    spec: s.object({ image: s.string({ default: 'nginx:1' }) }),
  });
const operatorOf = (kind: ReturnType<typeof kindOf>, drift: DriftInput) =>
  operator(kind, {
    owns: [Deployment, Service, ConfigMap],
    drift,
    compose(scope, { spec }) {
      const labels = { app: 'web' };
      const containers = [{ name: 'web', image: spec.image, ports: [{ containerPort: 80 }] }];
      new Deployment(scope, 'server', {
        spec: {
          selector: { matchLabels: labels },
          strategy: { type: 'Recreate' },
          template: { metadata: { labels }, spec: { containers } },
        },
      });
      new Service(scope, 'service', { spec: { selector: labels, ports: [{ name: 'http', port: 80 }] } });
      new ConfigMap(scope, 'settings', { data: { ours: '1' } });
    },
  });

const [Lenient, Strict, Partly] = [kindOf('Lenient'), kindOf('Strict'), kindOf('Partly')];
const operators = [
  operatorOf(Lenient, {}),
  operatorOf(Strict, {
    strict: true,
    rules: [{ kind: Deployment, field: 'spec.template.metadata.annotations', mode: 'ignore' }],
  }),
  operatorOf(Partly, {
    rules: [
      { kind: Deployment, field: 'spec.template.spec.containers', strict: true },
      { kind: ConfigMap, strict: true },
    ],
  }),
];

interface Deployed {
  readonly metadata: KubeObject['metadata'];
  readonly spec: {
    readonly paused?: boolean;
    readonly progressDeadlineSeconds: number;
    readonly strategy: object;
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly name: string;
          readonly image: string;
          readonly ports: readonly object[];
        }[];
      };
    };
  };
}
interface Served {
  readonly spec: { readonly ports: readonly { readonly name?: string; readonly port: number }[] };
}

/** What somebody adds to the children of one custom resource. */
const additions: readonly (readonly [
  resource: typeof Deployment | typeof Service | typeof ConfigMap,
  child: string,
  body: object,
])[] = [
  [
    Deployment,
    'server',
    {
      metadata: { labels: { 'theirs.example.com/l': 'x' }, annotations: { 'theirs.example.com/note': 'x' } },
      spec: {
        progressDeadlineSeconds: 77,
        template: {
          metadata: { annotations: { 'theirs.example.com/restarted': 'now' } },
          spec: {
            containers: [
              { name: 'extra', image: 'extra' },
              { name: 'web', ports: [{ containerPort: 81 }] },
            ],
          },
        },
      },
    },
  ],
  [Service, 'service', { spec: { ports: [{ name: 'more', port: 90 }] } }],
  [ConfigMap, 'settings', { data: { theirs: 'x' } }],
];

onEveryCluster('a cluster in which others add things', { controllerManager: true }, (plane) => {
  const stage = new Stage(
    plane,
    [Lenient, Strict, Partly].map((kind) => kind.crd()),
  );
  let number = 0;
  let home: { readonly namespace: string; readonly name: string };

  beforeAll(() => stage.start(operators), 60_000);
  beforeEach(async () => {
    home = { namespace: `home-${number++}`, name: 'site' };
    await stage.namespace(home.namespace);
  });

  const begin = async (kind: typeof Lenient) => {
    await stage.create(kind, { metadata: home, spec: {} });
    await stage.settled(kind, home);
    await stage.quiet();
  };
  const child = async <T>(kind: typeof Deployment | typeof Service | typeof ConfigMap, id: string) =>
    (await stage.admin.get(kind, { ...home, name: `site-${id}` })) as unknown as T;
  const add = async () => {
    for (const [resource, id, body] of additions) {
      await stage.admin.patch(
        resource,
        { ...home, name: `site-${id}` },
        { type: 'strategic', body },
        { fieldManager: 'somebody' },
      );
    }
    await stage.quiet();
  };
  const seen = async () => {
    const { metadata, spec } = await child<Deployed>(Deployment, 'server');
    return {
      label: metadata.labels?.['theirs.example.com/l'],
      notes: [metadata.annotations?.['theirs.example.com/note']],
      deadline: spec.progressDeadlineSeconds,
      containers: spec.template.spec.containers.map(({ name, ports = [] }) => `${name} ${ports.length}`).sort(),
      ports: (await child<Served>(Service, 'service')).spec.ports.map(({ port }) => port).sort(),
      data: Object.keys((await child<{ data: object }>(ConfigMap, 'settings')).data).sort(),
    };
  };
  const drifted = async (kind: typeof Lenient) => conditionIn(await stage.admin.get(kind, home), 'Drifted')?.message;

  it('D-10: shows what was added, and leaves it', async () => {
    await begin(Lenient);
    await add();
    expect(await seen()).toEqual({
      label: 'x',
      notes: ['x'],
      deadline: 77,
      containers: ['extra 0', 'web 2'],
      ports: [80, 90],
      data: ['ours', 'theirs'],
    });
    await eventually(async () =>
      expect(await drifted(Lenient)).toMatch(/^6 differences are left alone: .*nothing → .* by somebody \(Update\)/),
    );

    await stage.admin.patch(
      Lenient,
      home,
      { type: 'merge', body: { spec: { image: 'nginx:2' } } },
      { fieldManager: 'user' },
    );
    await stage.quiet();
    expect((await seen()).containers).toEqual(['extra 0', 'web 2']);
  });

  it('D-10: removes what was added where it is strict, but for notes', async () => {
    await begin(Strict);
    await add();
    await eventually(async () =>
      expect(await seen()).toEqual({
        label: undefined,
        notes: ['x'],
        deadline: 600,
        containers: ['web 1'],
        ports: [80],
        data: ['ours'],
      }),
    );
    await stage.quiet();
    expect(await drifted(Strict)).toBeUndefined();
    const lines = stage.lines.filter(({ msg, namespace }) => msg === 'Corrected drift' && namespace === home.namespace);
    expect(lines.flatMap(({ fields }) => fields)).toContain(
      'metadata.labels["theirs.example.com/l"] nothing → "x" by somebody (Update)',
    );
  });

  it('D-10: removes what was added under the parts that it is strict about', async () => {
    await begin(Partly);
    await add();
    await eventually(async () =>
      expect(await seen()).toEqual({
        label: 'x',
        notes: ['x'],
        deadline: 77,
        containers: ['web 1'],
        ports: [80, 90],
        data: ['ours'],
      }),
    );
    await stage.quiet();
    expect(await drifted(Partly)).toMatch(/^3 differences are left alone: /);
  });

  it.each<[string, typeof Deployment | typeof Service, string, object]>([
    ['a Service whose ports were replaced', Service, 'service', { spec: { ports: [{ port: 8080 }] } }],
    [
      'a Deployment whose strategy was replaced',
      Deployment,
      'server',
      { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } } },
    ],
  ])('heals %s, which a plain apply cannot', async (_, resource, id, body) => {
    await begin(Lenient);
    await stage.admin.patch(
      resource,
      { ...home, name: `site-${id}` },
      { type: 'merge', body },
      { fieldManager: 'rival' },
    );
    await eventually(async () => {
      const { spec } = await child<{ spec: { ports?: object; strategy?: object } }>(resource, id);
      if (resource === Service)
        expect(spec.ports).toEqual([{ name: 'http', port: 80, protocol: 'TCP', targetPort: 80 }]);
      else expect(spec.strategy).toEqual({ type: 'Recreate' });
    });
    await stage.quiet();
    expect(await drifted(Lenient)).toBeUndefined();
  });
});
