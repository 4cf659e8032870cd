/**
 * Kinds whose objects change what the server does with others, which this one does not do: it could only keep them, and
 * then give wrong answers. By the name under which the store keeps them, with what is missing.
 */
export const unenforced: Readonly<Record<string, string>> = {
  limitranges: 'enforcing a LimitRange',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': 'enforcing a MutatingAdmissionPolicy',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': 'calling a webhook of a MutatingWebhookConfiguration',
  resourcequotas: 'enforcing a ResourceQuota',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': 'enforcing a ValidatingAdmissionPolicy',
  'validatingwebhookconfigurations.admissionregistration.k8s.io':
    'calling a webhook of a ValidatingWebhookConfiguration',
};
