import { type AdmissionStep, admissionConfigurations, admissionName, admissionPath } from '../kube/webhook.js';
import type { BundleHolder } from './ca-bundle.js';
import { type ClientConfig, missingIn } from './missing-in.js';
import type { ReviewedKind } from './reviewed-kind.js';

interface Webhook {
  readonly name: string;
  readonly clientConfig: ClientConfig;
}

/** The configuration called `name`, which lists the webhooks that are asked before anything is stored. */
export function admissionHolder(step: AdmissionStep, name: string, kinds: readonly ReviewedKind[]): BundleHolder {
  return {
    resource: admissionConfigurations[step],
    name,
    missing(configuration, { ca, url }) {
      const { webhooks: present = [] } = configuration as { readonly webhooks?: readonly Webhook[] };
      const webhooks = present.flatMap((webhook) => {
        const kind = kinds.find((each) => webhook.name === admissionName(step, each));
        const clientConfig = kind && missingIn(webhook.clientConfig, ca, url && `${url}${admissionPath(step, kind)}`);
        return clientConfig ? [{ name: webhook.name, clientConfig }] : [];
      });
      // Merged by their names.
      return webhooks.length === 0 ? undefined : { type: 'strategic', body: { webhooks } };
    },
  };
}
