import type { Judged } from './judged.js';

const rule = (fields: object) => ({
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
  ...fields,
});
const webhook = (fields: object) => ({
  name: 'a.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { service: { name: 'web', namespace: 'default' } },
  rules: [rule({})],
  ...fields,
});
const hooks = (...webhooks: object[]) => ({ metadata: { name: 'hooks' }, webhooks });

export const validatingWebhookConfigurations: Judged = {
  kind: 'ValidatingWebhookConfiguration',
  bodies: [
    ['nothing', { metadata: { name: 'hooks' } }],
    ['a webhook', hooks(webhook({}))],
    ['a short name', hooks(webhook({ name: 'a.b' }))],
    ['a bad name', hooks(webhook({ name: 'A.b.c' }))],
    ['no name', hooks(webhook({ name: '' }))],
    ['a name twice', hooks(webhook({}), webhook({}))],
    [
      'bad policies',
      hooks(webhook({ failurePolicy: 'Maybe', matchPolicy: 'Some', sideEffects: 'Some', timeoutSeconds: 31 })),
    ],
    ['no effects', hooks(webhook({ sideEffects: undefined }))],
    ['no versions', hooks(webhook({ admissionReviewVersions: [] }))],
    ['versions that nobody knows', hooks(webhook({ admissionReviewVersions: ['v2', 'v2', 'V3'] }))],
    ['an address', hooks(webhook({ clientConfig: { url: 'https://example.com/a' } }))],
    ['a bad address', hooks(webhook({ clientConfig: { url: 'http://user@example.com/a?b#c' } }))],
    ['an address of nobody', hooks(webhook({ clientConfig: { url: 'https:///a' } }))],
    ['two addresses', hooks(webhook({ clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } } }))],
    ['no address', hooks(webhook({ clientConfig: {} }))],
    [
      'a bad service',
      hooks(webhook({ clientConfig: { service: { name: '', namespace: 'a', port: 0, path: 'a//B' } } })),
    ],
    [
      'bad rules',
      hooks(
        webhook({
          rules: [
            rule({
              operations: ['*', 'READ'],
              apiGroups: ['*', 'a'],
              apiVersions: ['*', ''],
              resources: ['*', 'pods'],
              scope: 'Galaxy',
            }),
          ],
        }),
      ),
    ],
    ['empty rules', hooks(webhook({ rules: [{}] }))],
    [
      'resources that say the same',
      hooks(webhook({ rules: [rule({ resources: ['pods/*', 'pods/status', '*/scale', 'a/scale', '*/*', ''] })] })),
    ],
    ['a bad selector', hooks(webhook({ namespaceSelector: { matchLabels: { a: 'b c' } } }))],
    [
      'bad conditions',
      hooks(
        webhook({
          matchConditions: [
            { name: 'a b', expression: 'true' },
            { name: '', expression: ' ' },
          ],
        }),
      ),
    ],
    ['conditions', hooks(webhook({ matchConditions: [{ name: 'a', expression: 'true' }] }))],
  ],
  changes: [
    ['of the address', hooks(webhook({})), { webhooks: [webhook({ clientConfig: { url: 'https://a' } })] }],
    ['of labels', hooks(webhook({})), { metadata: { labels: { a: 'b' } } }],
    ['without a version', hooks(webhook({})), { metadata: { resourceVersion: null } }],
  ],
};

export const mutatingWebhookConfigurations: Judged = {
  kind: 'MutatingWebhookConfiguration',
  bodies: [
    ['a webhook', hooks(webhook({}))],
    ['a bad policy of calling again', hooks(webhook({ reinvocationPolicy: 'Always' }))],
  ],
};

const constraints = { resourceRules: [rule({})] };
const policy = (fields: object) => ({
  metadata: { name: 'pol.example.com' },
  spec: { matchConstraints: constraints, validations: [{ expression: 'true' }], ...fields },
});

export const validatingAdmissionPolicies: Judged = {
  kind: 'ValidatingAdmissionPolicy',
  bodies: [
    ['a validation', policy({})],
    ['nothing', { metadata: { name: 'pol.example.com' } }],
    ['no validation', policy({ validations: [] })],
    ['no rules', policy({ matchConstraints: {} })],
    [
      'bad rules',
      policy({
        matchConstraints: {
          matchPolicy: 'Some',
          resourceRules: [{ ...rule({ operations: [] }), resourceNames: ['a', 'a', 'b/c'] }],
        },
      }),
    ],
    [
      'bad words',
      policy({ failurePolicy: 'Maybe', validations: [{ expression: ' ', message: 'a\nb', reason: 'Why' }] }),
    ],
    ['empty words', policy({ validations: [{ expression: 'true', message: ' ', messageExpression: ' ' }] })],
    ['parameters', policy({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })],
    ['bad parameters', policy({ paramKind: { apiVersion: 'A_/V1', kind: 'a.b' } })],
    ['no parameters', policy({ paramKind: { apiVersion: '', kind: '' } })],
    [
      'annotations',
      policy({
        auditAnnotations: [
          { key: 'a', valueExpression: "'b'" },
          { key: 'a', valueExpression: "'b'" },
        ],
      }),
    ],
    ['variables', policy({ variables: [{ name: 'a', expression: 'true' }] })],
    ['bad variables', policy({ variables: [{ name: 'a-b', expression: 'true' }] })],
  ],
};

const binding = (fields: object) => ({
  metadata: { name: 'bind' },
  spec: { policyName: 'a', validationActions: ['Deny'], ...fields },
});

export const validatingAdmissionPolicyBindings: Judged = {
  kind: 'ValidatingAdmissionPolicyBinding',
  bodies: [
    ['a policy', binding({})],
    ['no policy', binding({ policyName: '' })],
    ['no actions', binding({ validationActions: [] })],
    ['bad actions', binding({ validationActions: ['Deny', 'Warn'] })],
    ['an action twice', binding({ validationActions: ['Audit', 'Audit'] })],
    ['an action that is none', binding({ validationActions: ['Sigh'] })],
    ['a parameter', binding({ paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } })],
    [
      'a parameter by name and selector',
      binding({ paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Shrug' } }),
    ],
    ['a parameter of nothing', binding({ paramRef: {} })],
    ['resources', binding({ matchResources: { resourceRules: [rule({})] } })],
  ],
};
