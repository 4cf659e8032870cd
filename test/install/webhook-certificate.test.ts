import { describe, expect, it } from '@jest/globals';
import { App, type Chart } from 'cdk8s';
import { render } from '../../src/gitops/render.js';
import { operator } from '../../src/index.js';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import { healthPort } from '../../src/install/workload.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { anOperator } from './an-operator.js';

const operators = [operator(Vault, { owns: [], compose() {} })];
const certificate = { webhooks: { certificateSecret: 'vaults-tls' } };

const install = (props: Partial<OperatorInstallProps>): Chart =>
  new OperatorInstall(new App(), 'vaults', { operators, image: 'vaults:1', ...props });
const names = (props: Partial<OperatorInstallProps>) =>
  (install(props).toJson() as Manifest[]).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const podOf = (props: Partial<OperatorInstallProps>) => {
  const manifests = install(props).toJson() as Manifest[];
  const { spec } = manifests.find(({ kind }) => kind === 'Deployment') as unknown as {
    spec: { template: { spec: { volumes?: object[]; containers: [{ args: string[]; volumeMounts?: object[] }] } } };
  };
  const { volumes, containers } = spec.template.spec;
  const [{ args, volumeMounts }] = containers;
  return { volumes, volumeMounts, flags: args.filter((arg) => arg.includes('-cert-path')) };
};

interface Ports {
  readonly spec: {
    readonly ingress: readonly { readonly from?: object; readonly ports: readonly { readonly port: number }[] }[];
    readonly ports: readonly { readonly targetPort: string }[];
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          { readonly ports: readonly { readonly name: string; readonly containerPort: number }[] },
        ];
      };
    };
  };
}

describe('webhooks of an install', () => {
  it('are served with the certificate of a Secret, where one is given', () => {
    const folder = '/var/run/kilter/webhook-certificate';
    expect(podOf(certificate)).toEqual({
      flags: [`--webhook-cert-path=${folder}`],
      volumes: [{ name: 'webhook-certificate', secret: { secretName: 'vaults-tls' } }],
      volumeMounts: [{ name: 'webhook-certificate', mountPath: folder, readOnly: true }],
    });
    expect(podOf({})).toEqual({ flags: [], volumes: undefined, volumeMounts: undefined });
  });

  it('are let through to by the network policy of the install, at the port to which their Service leads', () => {
    const portsOf = (props: Partial<OperatorInstallProps>) => {
      const manifests = install(props).toJson() as (Manifest & Ports)[];
      const specOf = (kind: string, name: string) =>
        manifests.find((each) => each.kind === kind && each.metadata.name === name)?.spec;
      const opened = specOf('NetworkPolicy', 'vaults')?.ingress.flatMap((rule) => (rule.from ? [] : rule.ports));
      const [service] = specOf('Service', 'vaults-webhook')?.ports ?? [];
      const [{ ports: served }] = specOf('Deployment', 'vaults')?.template.spec.containers ?? [{ ports: [] }];
      const led = served.find(({ name }) => name === service?.targetPort)?.containerPort;
      return { opened: opened?.map(({ port }) => port), led };
    };
    const { opened, led } = portsOf({ operators: [anOperator(), ...operators] });
    expect(led).toBeDefined();
    expect(opened).toEqual([healthPort, led]);
    expect(portsOf({ operators: [anOperator()] })).toEqual({ opened: [healthPort], led: undefined });
  });

  it('have one of their own beside that of metrics', () => {
    const { flags, volumes, volumeMounts } = podOf({ ...certificate, metrics: { certificateSecret: 'metrics-tls' } });
    expect([flags, volumes, volumeMounts].map((each) => each?.length)).toEqual([2, 2, 2]);
  });

  it('then take no right to make another, or to say who vouches for it', () => {
    const rights = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `${kind}/vaults-webhook`);
    expect(names({})).toEqual(expect.arrayContaining(rights));
    expect(names(certificate)).toEqual(names({}).filter((name) => !rights.includes(name)));
  });

  it('can be annotated for whoever says who vouches for it', () => {
    const chart = install(certificate);
    const asked = chart.apiObjects.filter(({ kind }) => /^CustomResourceDefinition$|WebhookConfiguration$/.test(kind));
    for (const { metadata } of asked) metadata.addAnnotation('cert-manager.io/inject-ca-from', 'vaults-system/vaults');
    const rendered = render(chart.node.root as App).map(({ text }) => text);
    expect(asked).toHaveLength(3);
    expect(rendered.join('').split('cert-manager.io/inject-ca-from: vaults-system/vaults')).toHaveLength(4);
  });

  it('that are none are given no certificate', () => {
    expect(() => install({ ...certificate, operators: [anOperator()] })).toThrow(
      'the install "vaults" has a certificate for webhooks, and no webhooks',
    );
  });
});
