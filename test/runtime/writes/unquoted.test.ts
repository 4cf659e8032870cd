import { describe, expect, it } from '@jest/globals';
import { ConflictError, ForbiddenError, InvalidError } from '../../../src/client/api-error.js';
import { unquoted } from '../../../src/runtime/writes/unquoted.js';

const ref = { apiVersion: 'example.com/v1', kind: 'Database', namespace: 'n', name: 'a' };
const cause = (field: string) => ({ reason: 'FieldValueInvalid', field, message: `${field}: "hunter2"` });
const of = (Refusal: typeof InvalidError | typeof ConflictError, causes: readonly ReturnType<typeof cause>[]) =>
  new Refusal('it is "hunter2"', {
    cause: new Error('hunter2'),
    hint: 'not "hunter2"',
    status: { code: 422, reason: 'Invalid', message: 'it is "hunter2"', details: { name: 'a', causes } },
  });
const all = ({ message, hint, cause, status, stack }: InvalidError) =>
  JSON.stringify([message, hint, String(cause), status, stack]);

describe('a refusal without the words of the API server', () => {
  it.each([InvalidError, ConflictError])('says which fields, and for which reasons', (Refusal) => {
    const error = unquoted(of(Refusal, ['spec.password', 'spec.size', 'spec.size'].map(cause)), ref, 'apply');
    expect(error).toBeInstanceOf(Refusal);
    expect((error as InvalidError).message).toBe(
      'Database/n/a apply failed: spec.password (FieldValueInvalid), spec.size (FieldValueInvalid)',
    );
    expect((error as InvalidError).status).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'a' } });
    expect(all(error as InvalidError)).not.toContain('hunter2');
  });

  it('says that there is more where it has no causes', () => {
    const error = unquoted(of(InvalidError, []), ref, 'create') as InvalidError;
    expect(error.message).toBe(
      "Database/n/a create failed: the API server's words are not shown, for the child has sensitive fields",
    );
    expect(all(error)).not.toContain('hunter2');
  });

  it.each([
    [ForbiddenError, 422, "ValidatingAdmissionPolicy 'a' with binding 'b' denied request"],
    [ForbiddenError, 403, 'admission webhook "a.example.com" denied the request'],
    [InvalidError, 422, 'admission webhook "a.example.com" denied the request'],
  ])('says which policy or webhook it is that denies it', (Refusal, code, denial) => {
    const message = `databases.example.com "a" is forbidden: ${denial}: it is "hunter2"`;
    const denied = new Refusal(`Database/n/a apply failed: ${message}`, {
      status: { code, message, details: { causes: [{ message }] } },
    });
    const error = unquoted(denied, ref, 'apply') as ForbiddenError;
    expect(error).toBeInstanceOf(Refusal);
    expect(error.message).toBe(
      `Database/n/a apply failed: ${denial}: the API server's words are not shown, for the child has sensitive fields`,
    );
    expect(all(error)).not.toContain('hunter2');
  });

  it('is nothing else', () => {
    const others = [new ForbiddenError('no'), of(ConflictError, []), new Error('x')];
    expect(others.map((error) => unquoted(error, ref, 'apply'))).toEqual(others);
  });
});
