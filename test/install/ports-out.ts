import { App } from 'cdk8s';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { anOperator } from './an-operator.js';

interface NetworkPolicy extends Manifest {
  readonly spec: { readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[] };
}

/** The ports of the first rule of what goes out: all but those of DNS. */
export function portsOut(props: Partial<OperatorInstallProps>): readonly number[] {
  const install = new OperatorInstall(new App(), 'cache', {
    operators: [anOperator()],
    image: 'operator:1.2.3',
    ...props,
  });
  const policy = (install.toJson() as Manifest[]).find(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy;
  return policy.spec.egress[0]!.ports.map(({ port }) => port);
}
