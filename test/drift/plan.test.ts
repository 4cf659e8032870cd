/** Longer than most files: one function, and all that it may decide of a child. */
import { describe, expect, it } from '@jest/globals';
import { showDifference } from '../../src/drift/difference.js';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import { appliedHash, hashOf, outdated, withAppliedHash } from '../../src/drift/hash.js';
import { type PlanInput, plan } from '../../src/drift/plan.js';
import { remember } from '../../src/drift/remembered.js';
import type { KubeObject, ManagedFieldsEntry, Manifest } from '../../src/kube/manifest.js';
import { keyOf, refOf } from '../../src/kube/object-ref.js';
import { entry, owner, ownerReferences, stored } from './an-object.js';

const manifest: Manifest = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ownerReferences },
  data: { x: '1' },
};
const leaves = [
  'f:data f:x',
  'f:metadata f:ownerReferences k:{"uid":"owner-1"}',
  `f:metadata f:annotations f:${appliedHash}`,
];
const applied = entry('us', 'Apply', leaves);
/** As our write of it left it. */
const asApplied = (of: Manifest = manifest, entries: readonly ManagedFieldsEntry[] = [applied], metadata = {}) =>
  stored(withAppliedHash(of, hashOf(of)), entries, metadata);
const foreign = [{ apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'other', controller: true }];

function planFor(objects: readonly KubeObject[], input: Partial<PlanInput> = {}) {
  const byKey = new Map(objects.map((object) => [keyOf(refOf(object)), object]));
  return plan({
    owner,
    manager: 'us',
    desired: [manifest],
    observe: (wanted) => byKey.get(keyOf(refOf(wanted))),
    controlled: objects,
    remembered: new Map(),
    ...input,
  });
}
const types = (...args: Parameters<typeof planFor>) => planFor(...args).map(({ type }) => type);
const remembering = (object: KubeObject) => ({
  remembered: new Map([[object.metadata.uid, remember(withAppliedHash(manifest, hashOf(manifest)), object, 'us')]]),
});

describe('the plan for one child', () => {
  const changed = { ...manifest, data: { x: '2' } };
  it('claims what is desired no more and another applied as well, where it is strict, and leaves it to him elsewhere', () => {
    const more = { ...manifest, data: { x: '1', y: '2' } };
    const [ours, theirs] = [entry('us', 'Apply', [...leaves, 'f:data f:y']), entry('them', 'Apply', ['f:data f:y'])];
    const found = asApplied(
      more,
      [ours, theirs].map((each) => ({ ...each, apiVersion: 'v1' })),
    );
    const claims = (strict: boolean) =>
      planFor([found], { policy: DriftPolicy.of({ strict }) }).map((step) => step.type === 'apply' && step.claim);
    expect(claims(true)).toEqual([[['f:data', 'f:y']]]);
    expect(claims(false)).toEqual([[]]);
  });

  it.each<[string, readonly KubeObject[], string]>([
    ['is created when it is not there', [], 'create'],
    ['is kept, by a process that remembers nothing, when it is as applied', [asApplied()], 'keep'],
    ['is kept as the POST left it', [asApplied(manifest, [entry('us', 'Update', leaves)])], 'keep'],
    [
      'is kept when another added to it',
      [asApplied(manifest, [applied, entry('them', 'Update', ['f:data f:z'])])],
      'keep',
    ],
    ['is applied when something else is desired', [asApplied(changed)], 'apply'],
    [
      'is applied when a field was taken',
      [asApplied(manifest, [entry('us', 'Apply', leaves.slice(1)), entry('them', 'Update', ['f:data f:x'])])],
      'apply',
    ],
    ['is applied when its managed fields were reset', [asApplied(manifest, [])], 'apply'],
    ['is applied when the hash was removed', [stored(manifest, [applied])], 'apply'],
    ['is waited for while it is being deleted', [asApplied(manifest, [applied], { deletionTimestamp: 'now' })], 'wait'],
    [
      'is refused when nobody controls what has its name',
      [stored(manifest, [entry('them', 'Update', leaves)], { ownerReferences: [] })],
      'refuse',
    ],
    [
      'is refused when nobody controls what was made for an earlier owner',
      [asApplied(changed, [applied], { ownerReferences: [] })],
      'refuse',
    ],
    [
      'is applied when somebody removed the owner reference',
      [asApplied(manifest, [entry('us', 'Apply', [leaves[0]!, leaves[2]!])], { ownerReferences: [] })],
      'apply',
    ],
    [
      'is refused when another controls what has its name',
      [asApplied(manifest, [applied], { ownerReferences: foreign })],
      'refuse',
    ],
    [
      'is refused when an earlier owner of this name controls it',
      [asApplied(manifest, [applied], { ownerReferences: [{ ...ownerReferences[0], uid: 'earlier' }] })],
      'refuse',
    ],
  ])('%s', (_, objects, type) => {
    expect(types(objects)).toEqual([type]);
  });

  it('names who has the name', () => {
    expect(planFor([asApplied(manifest, [applied], { ownerReferences: foreign })])).toEqual([
      expect.objectContaining({ type: 'refuse', owner: 'Other/o', isLeft: false }),
    ]);
  });

  it('knows what an earlier owner of this name has left, which goes by itself', () => {
    const left = [{ ...ownerReferences[0], uid: 'earlier' }];
    expect(planFor([asApplied(manifest, [applied], { ownerReferences: left })])).toEqual([
      expect.objectContaining({ type: 'refuse', isLeft: true }),
    ]);
  });

  it.each([
    ['by reference', { ownerReferences: foreign }, 'Other/o'],
    ['by label', { ownerReferences: [], labels: { 'g/owner-name': 'o', 'g/owner-uid': 'other' } }, 'o of g'],
  ])('tells who has the name by his uid where he is called as its owner is, %s', (_, metadata, name) => {
    const namesake = { uid: 'owner-1', uidLabel: 'g/owner-uid', names: [name] };
    expect(planFor([asApplied(changed, [applied], metadata)], { owner: namesake })).toEqual([
      expect.objectContaining({ owner: `another ${name}, with the uid other` }),
    ]);
  });

  it('is applied when somebody wrote it under our name since we did', () => {
    const before = asApplied();
    const after = asApplied(manifest, [{ ...applied, time: 'later' }]);
    expect(types([before], remembering(before))).toEqual(['keep']);
    expect(types([after], remembering(before))).toEqual(['apply']);
  });

  it('is applied when somebody wrote something else under our name in the very second of our own write', () => {
    expect(types([asApplied(changed)], remembering(asApplied()))).toEqual(['apply']);
  });

  it('is applied when somebody removed the owner reference and all else that says whose it is', () => {
    const bare = stored(manifest, [entry('them', 'Update', leaves)], { ownerReferences: [] });
    expect(types([bare], remembering(asApplied()))).toEqual(['apply']);
    expect(types([bare])).toEqual(['refuse']);
  });

  it('is applied once when something stays that nobody owns, whatever is written', () => {
    const odd = asApplied(manifest, [entry('us', 'Apply', leaves.slice(1))]);
    expect(types([odd])).toEqual(['apply']);
    expect(types([odd], remembering(odd))).toEqual(['keep']);
  });

  it('tells by what it remembers that an empty value was removed, which the server may leave out', () => {
    const empty = { ...manifest, kind: 'Pod', data: { value: '', x: '1' } };
    const [whole, less] = [[...leaves, 'f:data f:value'], leaves].map((owned) =>
      asApplied(empty, [entry('us', 'Apply', owned)]),
    );
    const bare = { ...less!, data: { x: '1' } };
    const memory = { desired: [empty], remembered: new Map([[bare.metadata.uid, remember(empty, whole!, 'us')]]) };
    expect(types([bare], { desired: [empty] })).toEqual(['keep']);
    expect(planFor([bare], memory)).toEqual([
      expect.objectContaining({ type: 'apply', drift: [expect.objectContaining({ path: 'data.value' })] }),
    ]);
  });

  it('is applied when somebody gave a value to what was declared empty and left out by the server', () => {
    const empty = { ...manifest, kind: 'Pod', data: { value: '', x: '1' } };
    const bare = { ...asApplied(empty), data: { x: '1' } };
    const theirs = { ...asApplied(empty, [applied, entry('them', 'Update', ['f:data f:value'])]) };
    const set = { ...theirs, data: { value: 'theirs', x: '1' } };
    const remembered = new Map([[bare.metadata.uid, remember(withAppliedHash(empty, hashOf(empty)), bare, 'us')]]);
    expect(types([bare], { desired: [empty], remembered })).toEqual(['keep']);
    expect(types([set], { desired: [empty], remembered })).toEqual(['apply']);
    expect(types([set], { desired: [empty] })).toEqual(['apply']);
  });

  it('says what somebody wrote under our name, and folds what he wrote', () => {
    const update = entry('us', 'Update', ['f:data f:x'], { time: 'later' });
    const after = { ...asApplied(manifest, [applied, update]), data: { x: '9' } };
    expect(planFor([after], remembering(asApplied()))).toEqual([
      expect.objectContaining({
        type: 'apply',
        fold: true,
        drift: [
          {
            path: 'data.x',
            trail: ['f:data', 'f:x'],
            desired: '1',
            observed: '9',
            by: { manager: 'us', operation: 'Update', time: 'later' },
          },
        ],
      }),
    ]);
  });

  it('takes the loss of our note for drift, and not for another desire', () => {
    const noteless = stored(manifest, [entry('us', 'Apply', leaves.slice(0, 2))]);
    const lost = [expect.objectContaining({ path: `metadata.annotations.${appliedHash}` })];
    expect(planFor([noteless])).toEqual([expect.objectContaining({ type: 'apply', drift: lost })]);
    expect(planFor([noteless], remembering(asApplied()))).toEqual([
      expect.objectContaining({ type: 'apply', fold: false, drift: lost }),
    ]);
  });

  it('takes its own note that an apply is to follow for no drift, whatever it remembers', () => {
    const half = stored(withAppliedHash(manifest, outdated), [applied, entry('us', 'Update', leaves.slice(2))]);
    const again = [expect.objectContaining({ type: 'apply', fold: false, drift: [] })];
    expect(planFor([half])).toEqual(again);
    expect(planFor([half], remembering(asApplied()))).toEqual(again);
  });

  it('does not hold what it remembers of an earlier object against the one that is there now', () => {
    expect(types([asApplied(manifest, [applied], { uid: 'new' })], remembering(asApplied()))).toEqual(['keep']);
  });

  it('says what was taken, and of what we change anyway says nothing', () => {
    const taken = [entry('us', 'Apply', leaves.slice(1)), entry('them', 'Update', ['f:data f:x'])];
    expect(planFor([asApplied(manifest, taken)])).toEqual([
      expect.objectContaining({ fold: false, drift: [expect.objectContaining({ path: 'data.x' })] }),
    ]);
    expect(planFor([asApplied(changed, taken)])).toEqual([expect.objectContaining({ drift: [] })]);
  });

  it.each([
    ['folds when what is desired changed and the entry of the POST stands', changed, 'Update', true],
    ['does not fold what was only taken', manifest, 'Update', false],
    ['does not fold when there is no entry of a POST', changed, 'Apply', false],
  ] as const)('%s', (_, before, operation, fold) => {
    expect(planFor([asApplied(before, [entry('us', operation, leaves.slice(1))])])).toEqual([
      expect.objectContaining({ type: 'apply', fold }),
    ]);
  });

  it('sends the hash of what is desired', () => {
    const [step] = planFor([]);
    expect(step?.type === 'create' && step.manifest.metadata.annotations).toEqual({ [appliedHash]: hashOf(manifest) });
  });
});

describe('the plan for a child that is only reported', () => {
  const policy = DriftPolicy.of({ mode: 'report' });
  const reported = (before: Manifest, operation: 'Apply' | 'Update', after: Manifest) => {
    const owned = [...leaves, ...Object.keys(before['data'] as object).map((key) => `f:data f:${key}`)];
    const [step] = planFor([asApplied(before, [entry('us', operation, owned)])], { desired: [after], policy });
    return step?.type === 'leave' ? step.reported.map(showDifference) : step;
  };
  const more = { ...manifest, data: { x: '1', y: '2' } };

  it.each<[string, Manifest, 'Apply' | 'Update', Manifest, readonly string[]]>([
    ['nothing where it is as applied', manifest, 'Apply', manifest, []],
    ['a value', manifest, 'Apply', { ...manifest, data: { x: '9' } }, ['data.x "9" → "1" by us (Apply)']],
    ['a value of its POST', manifest, 'Update', { ...manifest, data: { x: '9' } }, ['data.x "9" → "1" by us (Update)']],
    ['what is new', manifest, 'Apply', more, ['data.y "2" → nothing']],
    ['what is dropped', more, 'Apply', manifest, ['data.y nothing → "2" by us (Apply)']],
    [
      'that it is an earlier one, where no more can be told',
      more,
      'Update',
      manifest,
      [`metadata.annotations.${appliedHash} "${hashOf(manifest)}" → "${hashOf(more)}" by us (Update)`],
    ],
  ])('says what is desired by now: %s', (_, before, operation, after, shown) => {
    expect(reported(before, operation, after)).toEqual(shown);
  });
});

describe('the plan for what is no longer desired', () => {
  const old = asApplied({ ...manifest, metadata: { ...manifest.metadata, name: 'old' } });

  it('prunes it after all else', () => {
    expect(
      planFor([old, asApplied()]).map((step) => [step.type, 'observed' in step && step.observed.metadata.name]),
    ).toEqual([
      ['keep', 'a'],
      ['prune', 'old'],
    ]);
  });

  it.each<[string, Partial<KubeObject['metadata']>]>([
    ['another controls', { ownerReferences: foreign }],
    ['nobody controls', { ownerReferences: [] }],
    [
      'the owner owns without being its controller',
      { ownerReferences: [{ ...(ownerReferences[0] as object), controller: false } as never] },
    ],
    ['is being deleted already', { deletionTimestamp: 'now' }],
  ])('leaves alone what %s', (_, metadata) => {
    const object = { ...old, metadata: { ...old.metadata, ...metadata } };
    expect(types([object], { desired: [] })).toEqual([]);
  });

  it('takes another version of a kind for the same object', () => {
    const beta = { ...asApplied(), apiVersion: 'apps/v1beta1', kind: 'Deployment' };
    const desired = [{ ...manifest, apiVersion: 'apps/v1', kind: 'Deployment' }];
    expect(types([beta], { desired })).not.toContain('prune');
  });

  it('takes the same name in another namespace, or of another kind, for another object', () => {
    const elsewhere = { ...old, metadata: { ...old.metadata, name: 'a', namespace: 'elsewhere' } };
    const secret = { ...old, kind: 'Secret', metadata: { ...old.metadata, name: 'a' } };
    expect(types([asApplied(), elsewhere, secret], { observe: () => asApplied() })).toEqual(['keep', 'prune', 'prune']);
  });
});
