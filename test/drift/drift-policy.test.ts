import { describe, expect, it } from '@jest/globals';
import { DriftPolicy } from '../../src/drift/drift-policy.js';

const Deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const Service = { apiVersion: 'v1', kind: 'Service' };
const replicas = ['f:spec', 'f:replicas'];

describe('the mode of a child', () => {
  it.each<[string, DriftPolicy, string]>([
    ['is to enforce', DriftPolicy.enforcing, 'enforce'],
    ["is the flag's", DriftPolicy.of({ mode: 'report' }), 'report'],
    ["is the custom resource's before the flag's", DriftPolicy.of({ mode: 'report' }).withFallback('ignore'), 'ignore'],
    [
      "is the kind's before both",
      DriftPolicy.of({ mode: 'ignore', rules: [{ kind: Deployment, mode: 'enforce' }] }).withFallback('report'),
      'enforce',
    ],
    ['is not that of another kind', DriftPolicy.of({ rules: [{ kind: Service, mode: 'ignore' }] }), 'enforce'],
    [
      'is not that of a field',
      DriftPolicy.of({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }] }),
      'enforce',
    ],
    [
      'is the last of two for the same kind',
      DriftPolicy.of({
        rules: [
          { kind: Deployment, mode: 'report' },
          { kind: Deployment, mode: 'ignore' },
        ],
      }),
      'ignore',
    ],
  ])('%s', (_, policy, mode) => {
    expect(policy.modeOf(Deployment)).toBe(mode);
  });

  it('is the same for all versions of a kind', () => {
    const policy = DriftPolicy.of({
      rules: [{ kind: { apiVersion: 'apps/v1beta1', kind: 'Deployment' }, mode: 'report' }],
    });
    expect(policy.modeOf(Deployment)).toBe('report');
  });
});

describe('the mode of a field', () => {
  it('is nothing where no rule is about it', () => {
    const policy = DriftPolicy.of({ rules: [{ kind: Deployment, field: 'spec.paused', mode: 'ignore' }] });
    expect(policy.fieldsOf(Deployment)?.modeOf(replicas)).toBeUndefined();
    expect(policy.fieldsOf(Service)).toBeUndefined();
  });

  it('is that of the longest path, and of the last rule for the same one', () => {
    const policy = DriftPolicy.of({
      rules: [
        { kind: Deployment, field: 'spec.replicas', mode: 'ignore' },
        { kind: Deployment, field: 'spec', mode: 'report' },
        { field: 'metadata.annotations', mode: 'report' },
        { field: 'metadata.annotations', mode: 'ignore' },
      ],
    });
    const modes = policy.fieldsOf(Deployment);
    expect(modes?.modeOf(replicas)).toBe('ignore');
    expect(modes?.modeOf(['f:spec', 'f:paused'])).toBe('report');
    expect(modes?.modeOf(['f:metadata', 'f:annotations', 'f:a'])).toBe('ignore');
    expect(policy.fieldsOf(Service)?.modeOf(['f:metadata', 'f:annotations', 'f:a'])).toBe('ignore');
  });

  it('with a path that cannot be read fails where it is defined', () => {
    expect(() => DriftPolicy.of({ rules: [{ field: 'spec..x', mode: 'ignore' }] })).toThrow('cannot be read');
  });

  it('is as strict as the most specific rule says', () => {
    const policy = DriftPolicy.of({
      strict: true,
      rules: [
        { kind: Deployment, strict: false },
        { kind: Deployment, field: 'spec.template', strict: true },
        { kind: Deployment, field: 'spec.template.metadata', strict: false, mode: 'report' },
        { kind: Deployment, field: 'spec.template.spec', mode: 'enforce' },
      ],
    });
    expect(policy.isStrict(Service)).toBe(true);
    expect(policy.isStrict(Deployment)).toBe(false);
    const modes = policy.fieldsOf(Deployment);
    expect(modes?.isStrict(['f:spec', 'f:paused'])).toBeUndefined();
    expect(modes?.isStrict(['f:spec', 'f:template', 'f:spec', 'f:containers'])).toBe(true);
    expect(modes?.isStrict(['f:spec', 'f:template', 'f:metadata', 'f:labels'])).toBe(false);
    // A rule that says how strict to be says nothing of the mode.
    expect(modes?.modeOf(['f:spec', 'f:template'])).toBeUndefined();
    expect(policy.modeOf(Deployment)).toBe('enforce');
  });
});
