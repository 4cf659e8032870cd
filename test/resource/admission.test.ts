import { describe, expect, it } from '@jest/globals';
import { Chart, Testing } from 'cdk8s';
import { customResource, operator, s } from '../../src/index.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { Vault } from './a-guarded-kind.js';

const vault = (spec: object) =>
  ({ apiVersion: Vault.apiVersion, kind: 'Vault', metadata: { name: 'v' }, spec }) as unknown as KubeObject;

describe('the admission of a kind', () => {
  it('fills in what follows from other fields', () => {
    expect(Vault.admission.mutated(vault({ size: 20 }))['spec']).toEqual({ size: 20, tier: 'large' });
    expect(Vault.admission.mutated(vault({ size: 20, tier: 'small' }))['spec']).toEqual({ size: 20, tier: 'small' });
  });

  it.each([
    ['nothing, of what is right', { size: 3, tier: 'small' }, undefined, []],
    ['what is wrong by itself', { size: 30, tier: 'small' }, undefined, ['spec.tier: small is for at most ten']],
    ['what is wrong after what it was', { size: 3 }, { size: 9 }, ['spec.size: 3 is less than half of 9']],
  ])('says %s', (_, spec, before, problems) => {
    expect(Vault.admission.problems(vault(spec), before && vault(before))).toEqual(problems);
  });

  it('names the object and the function for which it cannot say', () => {
    expect(() => Vault.admission.problems(vault({ size: 1, note: 'mistake' }))).toThrow(
      'validate of Vault/v failed: a mistake of its author',
    );
  });

  it.each([
    ['a promise', async () => ['no']],
    ['no list of sentences', () => 'no'],
    ['no list of sentences', () => undefined],
  ])('is refused where validate gives %s, as nothing would be judged by it', (what, validate) => {
    const Judged = customResource({
      group: 'versions.kilter.dev',
      version: 'v1',
      kind: 'Judged',
      spec: s.object({}),
      admission: { validate: validate as never },
    });
    const judged = operator(Judged, { owns: [], compose: () => undefined });
    expect(() => judged.desired({ metadata: { name: 'j' }, spec: {} })).toThrow(
      `validate of Judged/j failed: it gives ${what}`,
    );
  });

  it('is refused as a whole where mutate gives no spec', () => {
    const Mutated = customResource({
      group: 'versions.kilter.dev',
      version: 'v1',
      kind: 'Mutated',
      spec: s.object({}),
      admission: { mutate: (async () => ({})) as never },
    });
    const mutated = operator(Mutated, { owns: [], compose: () => undefined });
    expect(() => mutated.desired({ metadata: { name: 'm' }, spec: {} })).toThrow(
      'Mutated/m: what mutate gives cannot be rendered: it is an instance of Promise',
    );
  });

  it('refuses a field that mutate made up, which the API server would drop, and none that was there', () => {
    const Dressed = customResource({
      group: 'versions.kilter.dev',
      version: 'v1',
      kind: 'Dressed',
      spec: s.object({ coat: s.object({ color: s.string({ optional: true }) }, { optional: true }) }),
      admission: {
        mutate: ({ spec, metadata }) =>
          metadata.name === 'typo' ? { ...spec, coat: { ...spec.coat, colour: 'red' } } : spec,
      },
    });
    const named = (name: string, spec: object) =>
      ({ apiVersion: Dressed.apiVersion, kind: 'Dressed', metadata: { name }, spec }) as unknown as KubeObject;
    const words = 'mutate of Dressed/typo failed: it gives unknown field "spec.coat.colour"';
    expect(() => Dressed.admission.mutated(named('typo', {}))).toThrow(words);
    const dressed = operator(Dressed, { owns: [], compose: () => undefined });
    expect(() => dressed.desired({ metadata: { name: 'typo' }, spec: {} })).toThrow(words);
    expect(Dressed.admission.mutated(named('newer', { hat: 1 }))['spec']).toEqual({ hat: 1 });
  });

  it('is asked of samples, when they are rendered', () => {
    const chart = () => new Chart(Testing.app(), 'samples');
    expect(() => new Vault(chart(), 'v', { spec: { size: 30, tier: 'small' } })).toThrow(
      'is invalid: spec.tier: small is for at most ten',
    );
    expect(() => new Vault(chart(), 'v', { spec: { size: 30 } })).not.toThrow();
  });

  it('is asked before the schema, which judges what it gives', () => {
    const Host = customResource({
      group: 'versions.kilter.dev',
      version: 'v1',
      kind: 'Host',
      spec: s.object({ name: s.string({ pattern: '^[a-z]*$' }) }),
      admission: { mutate: ({ spec }) => ({ name: spec.name === 'odd' ? '1' : spec.name.toLowerCase() }) },
    });
    const hosts = operator(Host, { owns: [], compose: () => undefined });
    const sample = (spec: { readonly name: string }) => () =>
      new Host(new Chart(Testing.app(), 'samples'), 'h', { spec });
    const desired = (spec: { readonly name: string }) => () => hosts.desired({ metadata: { name: 'h' }, spec });
    for (const asked of [sample, desired]) {
      expect(asked({ name: 'ABC' })).not.toThrow();
      expect(asked({ name: 'odd' })).toThrow(
        `is invalid: spec.name: Invalid value: "1": spec.name in body should match`,
      );
      expect(asked({ nam: 'ABC' } as never)).toThrow('is invalid: unknown field "spec.nam"');
    }
  });

  it('is asked of what a test hands to an operator, which sees what would be stored', () => {
    const tiers: (string | undefined)[] = [];
    const vaults = operator(Vault, {
      owns: [],
      compose: (_, { spec }) => {
        tiers.push(spec.tier);
      },
    });
    vaults.desired({ metadata: { name: 'v' }, spec: { size: 30 } });
    expect(tiers).toEqual(['large']);
    expect(() => vaults.desired({ metadata: { name: 'v' }, spec: { size: 30, tier: 'small' } })).toThrow(
      'Vault/v is invalid: spec.tier: small is for at most ten',
    );
  });
});

describe('the metadata of a custom resource', () => {
  const Plain = customResource({ group: 'plain.kilter.dev', version: 'v1', kind: 'Plain', spec: s.object({}) });
  const plain = operator(Plain, { owns: [], compose: () => undefined });
  const label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'";
  const subdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'";

  it.each([
    ['a name that is none', { name: 'A_b' }, `metadata.name: Invalid value: "A_b": ${subdomain}`],
    ['a name that is too long', { name: 'a'.repeat(254) }, 'must be no more than 253 characters'],
    [
      'a namespace that is none',
      { name: 'a', namespace: 'No_N' },
      `metadata.namespace: Invalid value: "No_N": ${label}`,
    ],
    [
      'the key of a label',
      { name: 'a', labels: { 'a b': 'c' } },
      'metadata.labels: Invalid value: "a b": name part must',
    ],
    [
      'the value of a label',
      { name: 'a', labels: { a: 'b c' } },
      'metadata.labels: Invalid value: "b c": a valid label',
    ],
    [
      'the key of an annotation',
      { name: 'a', annotations: { 'a b': '' } },
      'metadata.annotations: Invalid value: "a b"',
    ],
    ['a finalizer', { name: 'a', finalizers: ['a b'] }, 'metadata.finalizers: Invalid value: "a b": name part must'],
    [
      'a label that is no text',
      { name: 'a', labels: { a: 1 } },
      'metadata.labels[a]: Invalid value: 1: must be a string',
    ],
    ['a field that there is not', { name: 'a', label: { a: 'b' } }, 'unknown field "metadata.label"'],
  ])('is refused as by the API server, in samples and in tests, for %s', (_, metadata, problem) => {
    const given = metadata as { readonly name: string };
    expect(() => new Plain(new Chart(Testing.app(), 'samples'), 'x', { metadata: given, spec: {} })).toThrow(problem);
    expect(() => plain.desired({ metadata: given, spec: {} })).toThrow(problem);
  });

  it('is refused without a name, where no construct gives one', () => {
    expect(() => plain.desired({ metadata: {} as never, spec: {} })).toThrow(
      'metadata.name: Required value: name or generateName is required',
    );
    expect(() => new Plain(new Chart(Testing.app(), 'samples'), 'x', { spec: {} })).not.toThrow();
  });
});
