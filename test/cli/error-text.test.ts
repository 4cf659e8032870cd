import { describe, expect, it } from '@jest/globals';
import { errorText } from '../../src/cli/error-text.js';
import { OperatorError } from '../../src/kube/errors.js';

describe('an error that quotes what somebody wrote in a cluster', () => {
  const error = new OperatorError('storing Cache/team/a failed', {
    cause: new Error('spec.note is wrong: \u001b[2J\u009b31m\u202eok'),
    hint: 'write \u001b]52;c;cm0gLXJm\u0007 anew\nor leave it',
  });

  it('has no say in the terminal of whoever meets it', () => {
    expect(errorText(error, { json: false, colors: false })).toBe(
      [
        'error: storing Cache/team/a failed',
        '  cause: spec.note is wrong: \\u001b[2J\\u009b31m\\u202eok',
        '  hint: write \\u001b]52;c;cm0gLXJm\\u0007 anew',
        'or leave it\n',
      ].join('\n'),
    );
  });

  it('has the colours of kilter alone', () => {
    expect(errorText(error, { json: false, colors: true }).split('\u001b')).toHaveLength(3);
  });

  it('is the same to a machine', () => {
    const line = errorText(error, { json: true, colors: false });
    expect(line).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(JSON.parse(line)).toMatchObject({ cause: 'spec.note is wrong: \u001b[2J\u009b31m\u202eok' });
  });
});
