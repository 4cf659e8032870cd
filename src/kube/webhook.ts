import type { ApiResource } from './api-resource.js';

/** What of a kind decides which webhooks it has. Every class of `customResource` is one. */
export interface Reviewed {
  readonly isConvertible: boolean;
  readonly admission: { readonly validates: boolean; readonly mutates: boolean };
}

/** What is asked about an object before it is stored. */
export type AdmissionStep = 'validate' | 'mutate';

/** In the order in which the API server asks. */
export const admissionSteps: readonly AdmissionStep[] = ['mutate', 'validate'];

export function asksFor(step: AdmissionStep, { admission }: Reviewed): boolean {
  return step === 'mutate' ? admission.mutates : admission.validates;
}

/** Whether the API server has anything to ask about a kind. */
export function isReviewed(kind: Reviewed): boolean {
  return kind.isConvertible || admissionSteps.some((step) => asksFor(step, kind));
}

interface Named {
  readonly plural: string;
  readonly group: string;
}

/** Where the API server sends objects that are to be converted. */
export const conversionPath = '/convert';

/** Where it sends an object of a kind before it stores it. */
export const admissionPath = (step: AdmissionStep, { plural, group }: Named): string => `/${step}/${plural}.${group}`;

/** What the webhook for that is called. */
export const admissionName = (step: AdmissionStep, { plural, group }: Named): string => `${step}.${plural}.${group}`;

const apiVersion = 'admissionregistration.k8s.io/v1';

/** What lists the webhooks for a step. */
export const admissionConfigurations = {
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
} as const satisfies Readonly<Record<AdmissionStep, ApiResource>>;
