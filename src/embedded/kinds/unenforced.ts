const allocation = 'dynamic resource allocation';
const fairness = 'API priority and fairness';

/**
 * Kinds whose objects change what the server does with others, or are judged by rules that this one has not: it could only
 * keep them, and then give wrong answers. By the name under which the store keeps them, with what is missing.
 */
export const unenforced: Readonly<Record<string, string>> = {
  'certificatesigningrequests.certificates.k8s.io': 'signing certificates',
  'csinodes.storage.k8s.io': 'attaching volumes',
  'csistoragecapacities.storage.k8s.io': 'the capacity of storage',
  'deviceclasses.resource.k8s.io': allocation,
  'flowschemas.flowcontrol.apiserver.k8s.io': fairness,
  'ipaddresses.networking.k8s.io': 'an IPAddress for each address of a Service',
  'mutatingadmissionpolicies.admissionregistration.k8s.io': 'judging a MutatingAdmissionPolicy',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': 'enforcing a MutatingAdmissionPolicy',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': 'calling a webhook of a MutatingWebhookConfiguration',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': fairness,
  'resourceclaims.resource.k8s.io': allocation,
  'resourceclaimtemplates.resource.k8s.io': allocation,
  'resourceslices.resource.k8s.io': allocation,
  'servicecidrs.networking.k8s.io': 'another range of addresses for Services',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': 'enforcing a ValidatingAdmissionPolicy',
  'validatingwebhookconfigurations.admissionregistration.k8s.io':
    'calling a webhook of a ValidatingWebhookConfiguration',
  'volumeattachments.storage.k8s.io': 'attaching volumes',
  'volumeattributesclasses.storage.k8s.io': 'changing the attributes of volumes',
};
