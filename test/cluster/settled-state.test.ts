import { expect, it } from '@jest/globals';
import { ConfigMap, Service } from '../../imports/k8s.js';
import { comparable } from './settled-state.js';

const uid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
/** A run of the name `name`: an owner, and a child that belongs to the uid `owner`. */
const run = (name: string, first: number, owner = first) => {
  const { kind, apiVersion } = Service;
  const parent = { apiVersion: 'v1', kind: ConfigMap.kind, name, uid: uid(owner) };
  const objects = [
    { apiVersion: 'v1', kind: ConfigMap.kind, metadata: { name, uid: uid(first), resourceVersion: `${first}` } },
    {
      apiVersion,
      kind,
      metadata: { name: `${name}-child`, uid: uid(first + 1), resourceVersion: '1', ownerReferences: [parent] },
    },
  ];
  return comparable(objects, { name, resource: ConfigMap, manager: 'test' });
};

it('two runs that differ in names, uids and versions compare equal', () => {
  expect(run('run1', 1)).toEqual(run('run2', 3));
});

it('a child of an owner that is gone does not compare equal to one of the owner that is there', () => {
  expect(run('run1', 1)).not.toEqual(run('run2', 3, 5));
  expect(JSON.stringify(run('run2', 3, 5))).toContain('"uid":"$gone"');
});
