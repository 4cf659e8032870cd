import { expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition, Deployment, Service } from '../../imports/k8s.js';
import { customResource, type DriftInput, type DriftRule, operator, s } from '../../src/index.js';

const Site = customResource({ group: 'web.example.com', version: 'v1', kind: 'Site', spec: s.object({}) });
const Part = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Part',
  spec: s.object({
    either: s.intOrString({ optional: true }),
    deep: s.map(s.object({ a: s.string() }), { default: {} }),
    ports: s.listMap(s.object({ name: s.string(), port: s.int32() }), { keys: ['name'], default: [] }),
    anything: s.preserved({ optional: true }),
    nothing: s.object({ a: s.string() }, { optional: true, nullable: true }),
  }),
  status: s.object({ ready: s.boolean() }),
});
const owns = [Deployment, Service, ConfigMap, CustomResourceDefinition, Part];
const compose = () => {};

it('compiles where there is such a field', () => {
  const named: string = 'spec.replicas';
  const others: DriftRule[] = [{ kind: Deployment, field: named, mode: 'report' }];
  const { drift } = operator(Site, {
    owns,
    drift: {
      mode: 'report',
      rules: [
        { kind: Deployment, mode: 'ignore' },
        { kind: Deployment, field: 'spec', strict: true },
        { kind: Deployment, field: 'spec.replicas', mode: 'ignore' },
        { kind: Deployment, field: 'spec.template.spec.containers[name=web].image', mode: 'ignore' },
        { kind: Deployment, field: 'spec.template.spec.containers[*].resources.limits.cpu', mode: 'ignore' },
        { kind: Deployment, field: 'spec.template.metadata.annotations["example.com/note"]', mode: 'ignore' },
        { kind: Deployment, field: "metadata.labels['a.b']", mode: 'ignore' },
        { kind: Deployment, field: 'spec.*', mode: 'ignore' },
        { kind: Deployment, field: '*.replicas', mode: 'ignore' },
        { kind: Deployment, field: 'status.readyReplicas', mode: 'ignore' },
        { kind: Service, field: 'spec.ports[port=80,protocol=TCP].nodePort', mode: 'ignore' },
        { kind: Service, field: 'spec.ports[*].targetPort', mode: 'ignore' },
        { kind: ConfigMap, field: 'data.any', mode: 'ignore' },
        { kind: ConfigMap, field: 'data["ca.crt"]', mode: 'ignore' },
        {
          kind: CustomResourceDefinition,
          field: 'spec.versions[name=v1].schema.openAPIV3Schema.items.type',
          mode: 'ignore',
        },
        { kind: Part, field: 'spec.either', mode: 'ignore' },
        { kind: Part, field: 'spec.deep.any.a', mode: 'ignore' },
        { kind: Part, field: 'spec.ports[name=web].port', mode: 'ignore' },
        { kind: Part, field: 'spec.anything.at.all', mode: 'ignore' },
        { kind: Part, field: 'spec.nothing.a', mode: 'ignore' },
        { kind: Part, field: 'status.conditions[type=Ready].message', mode: 'ignore' },
        { kind: { apiVersion: 'apps/v1', kind: 'Deployment' }, field: 'spec.not.known.here', mode: 'ignore' },
        { kind: Deployment, field: named, mode: 'ignore' },
        { field: 'whatever', mode: 'ignore' },
      ],
      sensitive: ['data', { kind: ConfigMap, field: 'data.token' }, { field: 'spec.any' }],
    },
    compose,
  });
  expect([drift.rules?.length, drift.sensitive?.length]).toEqual([24, 3]);
  expect(operator(Site, { owns, drift: { rules: others }, compose }).drift.rules).toEqual(others);
});

it('compiles where rules are put together of others', () => {
  const common: DriftInput = { rules: [{ kind: Deployment, field: 'spec.any', mode: 'report' }], sensitive: ['a'] };
  const { rules = [] } = common;
  const replicas = { kind: Deployment, field: 'spec.replicas', mode: 'ignore' } as const;
  const all = [
    operator(Site, { owns, drift: common, compose }),
    operator(Site, { owns, drift: { ...common, rules: [replicas] }, compose }),
    operator(Site, {
      owns,
      drift: { rules: [...rules, { kind: Deployment, field: 'spec.paused', strict: true }] },
      compose,
    }),
    operator(Site, { owns, drift: { rules: [replicas, ...rules] }, compose }),
    operator(Site, { owns, drift: { rules: owns.map((kind) => ({ kind, mode: 'ignore' })) }, compose }),
    operator(Site, {
      owns,
      drift: { rules: [], sensitive: owns.map((kind) => ({ kind, field: 'metadata' })) },
      compose,
    }),
  ];
  expect(all.map(({ drift }) => drift.rules?.length)).toEqual([1, 1, 2, 2, 5, 0]);
});

it('does not compile where there is none', () => {
  const refused = () => {
    operator(Site, {
      owns,
      drift: {
        rules: [
          { kind: Deployment, field: 'spec.replicas', mode: 'ignore' },
          // @ts-expect-error a letter of a field
          { kind: Deployment, field: 'spec.replicaz', mode: 'ignore' },
          // @ts-expect-error the first step
          { kind: Deployment, field: 'specs.replicas', mode: 'ignore' },
          // @ts-expect-error the item of a list
          { kind: Deployment, field: 'spec.template.spec.containers[name=web].imgae', mode: 'ignore' },
          // @ts-expect-error any item of a list
          { kind: Service, field: 'spec.ports[*].nodeport', strict: true },
          // @ts-expect-error a list, and not its items
          { kind: Deployment, field: 'spec.template.spec.containers.image', mode: 'ignore' },
          // @ts-expect-error below a number
          { kind: Deployment, field: 'spec.replicas.max', mode: 'ignore' },
          // @ts-expect-error a key with a dot in it
          { kind: ConfigMap, field: 'data.ca.crt', mode: 'ignore' },
          // @ts-expect-error behind the key of a map
          { kind: Deployment, field: 'metadata.lables["example.com/note"]', mode: 'ignore' },
        ],
        sensitive: [
          // @ts-expect-error what would be shown
          { kind: ConfigMap, field: 'datas.token' },
        ],
      },
      compose,
    });
  };
  expect(refused).toThrow('"lables"');
});
