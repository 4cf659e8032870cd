import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { operator } from '../../src/index.js';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import { DefinitionError } from '../../src/kube/errors.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { anOperator } from './an-operator.js';

const guarded = operator(Vault, { owns: [], compose() {} });

const install = (id: string, props: Partial<OperatorInstallProps> = {}) =>
  new OperatorInstall(new App(), id, { operators: [anOperator()], image: 'operator:1', ...props });

/** What is thrown, and its hint. */
function refusal(id: string, props?: Partial<OperatorInstallProps>): readonly (string | undefined)[] {
  try {
    install(id, props);
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return [(error as DefinitionError).message, (error as DefinitionError).hint];
  }
  return ['nothing'];
}

const letters = (count: number) => 'a'.repeat(count);

describe('an install', () => {
  it.each(['admin', 'edit', 'view', 'cluster-admin', 'system:node'])(
    'is never rendered over the role %s of Kubernetes',
    (id) => {
      expect(refusal(id)).toEqual([
        `the install "${id}" would be rendered over the ClusterRole "${id}" of Kubernetes`,
        expect.stringContaining('-operator"'),
      ]);
    },
  );

  it.each(['Cache', 'cache_1', 'cache.example', '-cache', 'cache-', '1cache', 'caché'])(
    'is refused by an id that no Service can have: %s',
    (id) => {
      expect(refusal(id)).toEqual([
        `the install "${id}" cannot be applied: its id is no name that a Service can have`,
        'write lower-case letters, digits and dashes, and a letter first',
      ]);
    },
  );

  it.each<[string, number, Partial<OperatorInstallProps>]>([
    ['with metrics', 55, {}],
    ['with webhooks', 55, { operators: [guarded], metrics: false }],
    ['in a namespace called by its id', 56, { metrics: false }],
    ['in a namespace that was given', 63, { metrics: false, namespace: letters(63) }],
  ])('%s takes ids of up to %i characters', (_, most, props) => {
    expect(refusal(letters(most), props)).toEqual(['nothing']);
    expect(refusal(letters(most + 1), props)).toEqual([
      expect.stringContaining('of 64 characters'),
      `give it an id of at most ${most} characters: a name may have 63`,
    ]);
  });

  it.each<[string, Partial<OperatorInstallProps>]>([
    ['Team', { namespace: 'Team' }],
    ['team.a', { namespace: 'team.a' }],
    [letters(64), { namespace: letters(64) }],
    ['team_a', { watchNamespaces: ['team', 'team_a'] }],
    ['', { watchNamespaces: [''] }],
    ['a,b', { watchNamespaces: ['a,b'] }],
  ])('is refused with the namespace "%s"', (name, props) => {
    expect(refusal('cache', props)).toEqual([
      `the install "cache" cannot be applied: "${name}" is no name of a namespace`,
      'write at most 63 lower-case letters, digits and dashes',
    ]);
  });

  it('may be called what only Services may not be called, where it has none, and begin as Kubernetes does', () => {
    expect(refusal('3scale', { metrics: false })).toEqual(['nothing']);
    expect(() => install('3scale')).toThrow('its id is no name that a Service can have');
    expect(() => install('Scale', { metrics: false })).toThrow('its id is no label of DNS');
    expect(() => install('kube-janitor')).not.toThrow();
  });

  it.each(['default', 'kube-system', 'kube-node-lease'])('is never rendered over the namespace %s', (namespace) => {
    expect(refusal('cache', { namespace })).toEqual([
      `the install "cache" would be rendered over the namespace "${namespace}" of Kubernetes`,
      expect.stringContaining('createNamespace: false'),
    ]);
    expect(refusal('cache', { namespace, createNamespace: false })).toEqual(['nothing']);
  });

  it('is refused with one namespace twice', () => {
    expect(refusal('cache', { watchNamespaces: ['a', 'b', 'a'] })).toEqual([
      'the install "cache" has the namespace "a" twice in watchNamespaces',
      'name it once',
    ]);
  });
});
