import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { OperatorInstall } from '../../src/install/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { anOperator } from './an-operator.js';

const policies = [{ expression: 'object.spec.size <= 10', message: 'too large' }];
const guarded = (options: Parameters<typeof anOperator>[0]) => {
  const operator = anOperator(options);
  return { ...operator, resource: { ...operator.resource, policies } };
};

/** What is rendered for `operators`, of the kinds that are called by theirs. */
const named = (operators: readonly ReturnType<typeof anOperator>[]) =>
  (new OperatorInstall(new App(), 'all', { operators, image: 'operator:1', metrics: false }).toJson() as Manifest[])
    .filter(({ kind }) => ['ClusterRole', 'ValidatingAdmissionPolicy'].includes(kind))
    .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
    .filter((name) => name !== 'ClusterRole/all')
    .sort();

describe('an install of several operators', () => {
  it('calls roles and policies by their kinds', () => {
    expect(named([guarded({ kind: 'Cache' }), anOperator({ kind: 'Foo' })])).toEqual([
      'ClusterRole/all-cache-admin',
      'ClusterRole/all-cache-editor',
      'ClusterRole/all-cache-viewer',
      'ClusterRole/all-foo-admin',
      'ClusterRole/all-foo-editor',
      'ClusterRole/all-foo-viewer',
      'ValidatingAdmissionPolicy/all-cache',
    ]);
  });

  it('calls those of kinds of one name by their definitions', () => {
    const one = guarded({ kind: 'Cache', group: 'one.example.com' });
    const two = guarded({ kind: 'Cache', group: 'two.example.com', name: 'other' });
    expect(named([one, two, anOperator({ kind: 'Foo' })])).toEqual([
      'ClusterRole/all-caches.one.example.com-admin',
      'ClusterRole/all-caches.one.example.com-editor',
      'ClusterRole/all-caches.one.example.com-viewer',
      'ClusterRole/all-caches.two.example.com-admin',
      'ClusterRole/all-caches.two.example.com-editor',
      'ClusterRole/all-caches.two.example.com-viewer',
      'ClusterRole/all-foo-admin',
      'ClusterRole/all-foo-editor',
      'ClusterRole/all-foo-viewer',
      'ValidatingAdmissionPolicy/all-caches.one.example.com',
      'ValidatingAdmissionPolicy/all-caches.two.example.com',
    ]);
  });

  it('is refused where two have one name, by which each knows its children', () => {
    const refused = () => named([anOperator({ name: 'cache' }), anOperator({ kind: 'Foo', name: 'cache' })]);
    expect(refused).toThrow('the install "all" has two operators named "cache"');
  });
});
