import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { operator } from '../../src/index.js';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { Vault } from '../resource/a-guarded-kind.js';

const operators = [operator(Vault, { owns: [], compose() {} })];

/** Which namespaces webhooks and policies select, by their kinds. */
function selected(props: Partial<OperatorInstallProps>): Readonly<Record<string, unknown>> {
  const install = new OperatorInstall(new App(), 'vaults', { operators, image: 'vaults:1', ...props });
  const entries = (install.toJson() as (Manifest & Admitting)[]).flatMap(({ kind, webhooks, spec }) => [
    ...(webhooks ?? []).map(({ namespaceSelector }) => [kind, namespaceSelector] as const),
    ...(spec?.matchConstraints ? [[kind, spec.matchConstraints.namespaceSelector] as const] : []),
  ]);
  return Object.fromEntries(entries);
}

interface Admitting {
  readonly webhooks?: readonly { readonly namespaceSelector?: object }[];
  readonly spec?: { readonly matchConstraints?: { readonly namespaceSelector?: object } };
}

describe('webhooks and policies of an install', () => {
  it.each<[string, Partial<OperatorInstallProps>, object | undefined]>([
    ['all namespaces', {}, undefined],
    [
      'the namespaces that it watches',
      { watchNamespaces: ['a', 'b'] },
      { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'b'] }] },
    ],
  ])('are for %s', (_, props, selector) => {
    expect(selected(props)).toEqual({
      MutatingWebhookConfiguration: selector,
      ValidatingWebhookConfiguration: selector,
      ValidatingAdmissionPolicy: selector,
    });
  });
});
