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
