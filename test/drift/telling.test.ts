import { describe, expect, it } from '@jest/globals';
import { differences, showDifference, telling } from '../../src/drift/difference.js';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import { appliedHash, hashOf, withAppliedHash } from '../../src/drift/hash.js';
import { plan } from '../../src/drift/plan.js';
import { remember } from '../../src/drift/remembered.js';
import { entry, owner, ownerReferences, stored } from './an-object.js';

describe('a difference of a map that somebody has as a whole', () => {
  const selector = { a: '1', b: '2' };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { nodeSelector: selector } };
  const told = (nodeSelector: object) => {
    const observed = stored({ ...pod, spec: { nodeSelector } }, [entry('them', 'Update', ['f:spec f:nodeSelector'])]);
    const compared = { desired: pod, observed, manager: 'us', policy: DriftPolicy.enforcing };
    return telling(differences(compared), compared).map(showDifference);
  };

  it.each([
    ['is the part that he changed', { a: '1', b: '9' }, ['spec.nodeSelector.b "2" → "9" by them (Update)']],
    ['is the part that he removed', { a: '1' }, ['spec.nodeSelector.b "2" → nothing by them (Update)']],
    ['is the part that he added', { ...selector, c: '3' }, ['spec.nodeSelector.c nothing → "3" by them (Update)']],
    [
      'is all of it, where he has just taken it',
      selector,
      ['spec.nodeSelector.a "1" → "1" by them (Update)', 'spec.nodeSelector.b "2" → "2" by them (Update)'],
    ],
  ])('%s', (_, found, shown) => {
    expect(told(found)).toEqual(shown);
  });

  it('is told as a correction', () => {
    const ours = { ...ownerReferences[0], controller: false };
    const reference = `f:metadata f:ownerReferences k:{"uid":"${owner.uid}"}`;
    const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ownerReferences } };
    const wanted = withAppliedHash(child, hashOf(child));
    const note = `f:metadata f:annotations f:${appliedHash}`;
    const before = stored(wanted, [entry('us', 'Apply', [note, reference])]);
    const taken = [entry('us', 'Apply', [note]), entry('them', 'Update', [reference])];
    const observed = stored(wanted, taken, { ownerReferences: [ours] as never });
    const remembered = new Map([[before.metadata.uid, remember(wanted, before, 'us')]]);
    const input = { owner, manager: 'us', desired: [child], controlled: [], remembered };
    const [step] = plan({ ...input, observe: () => observed });
    expect(step?.type === 'apply' && step.drift.map(showDifference)).toEqual([
      'metadata.ownerReferences[0].controller true → false by them (Update)',
    ]);
  });
});
