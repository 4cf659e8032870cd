import type { ApiResource } from '../kube/api-resource.js';
import type { BundleHolder } from './ca-bundle.js';
import { type ClientConfig, missingIn } from './missing-in.js';
import type { ReviewedKind } from './reviewed-kind.js';

const apiVersion = 'admissionregistration.k8s.io/v1';
const configurations: Readonly<Record<AdmissionStep, ApiResource>> = {
  validate: {
    apiVersion,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
  },
  mutate: {
    apiVersion,
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
  },
};

export type AdmissionStep = 'validate' | 'mutate';

/** Where the API server sends an object of a kind before it stores it. */
export const admissionPath = (step: AdmissionStep, { plural, group }: ReviewedKind): string =>
  `/${step}/${plural}.${group}`;

interface Webhook {
  readonly name: string;
  readonly clientConfig: ClientConfig;
}

/** The configuration called `name`, which lists the webhooks that are asked before anything is stored. */
export function admissionHolder(step: AdmissionStep, name: string, kinds: readonly ReviewedKind[]): BundleHolder {
  return {
    resource: configurations[step],
    name,
    missing(configuration, { ca, url }) {
      const { webhooks: present = [] } = configuration as { readonly webhooks?: readonly Webhook[] };
      const webhooks = present.flatMap((webhook) => {
        const kind = kinds.find(({ plural, group }) => webhook.name === `${step}.${plural}.${group}`);
        const clientConfig = kind && missingIn(webhook.clientConfig, ca, url && `${url}${admissionPath(step, kind)}`);
        return clientConfig ? [{ name: webhook.name, clientConfig }] : [];
      });
      // Merged by their names.
      return webhooks.length === 0 ? undefined : { type: 'strategic', body: { webhooks } };
    },
  };
}
