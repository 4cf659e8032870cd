import { describe, expect, it } from '@jest/globals';
import { judgedAdditions } from '../../src/drift/additions.js';
import {
  differences,
  differencesIn,
  showDifference,
  showTimedDifference,
  showValue,
} from '../../src/drift/difference.js';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import type { KubeObject, ManagedFieldsEntry, Manifest } from '../../src/kube/manifest.js';
import { entry, stored } from './an-object.js';

const desired = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: { replicas: 3, paused: true },
};
const of = (desired: Manifest, observed: KubeObject, policy = DriftPolicy.enforcing) =>
  differences({ desired, observed, manager: 'us', policy });
const item = 'f:spec f:l k:{"name":"x"}';

describe('a difference', () => {
  it.each<[string, object, readonly ManagedFieldsEntry[], string]>([
    // what happened, spec observed, entries of others, shown
    [
      'a value that was changed',
      { replicas: 9, paused: true },
      [entry('kubectl', 'Update', ['f:spec f:replicas'])],
      'spec.replicas 3 → 9 by kubectl (Update)',
    ],
    [
      'a value that was applied over',
      { replicas: 9, paused: true },
      [entry('argo', 'Apply', ['f:spec f:replicas'])],
      'spec.replicas 3 → 9 by argo (Apply)',
    ],
    ['a value that was removed', { paused: true }, [], 'spec.replicas 3 → nothing'],
    [
      'a value that a subresource changed',
      { replicas: 9 },
      [entry('hpa', 'Update', ['f:spec f:replicas'], { subresource: 'scale' })],
      'spec.replicas 3 → 9 by hpa (Update)',
    ],
    [
      'a map that another owns as one',
      { replicas: 9 },
      [entry('them', 'Update', ['f:spec'])],
      'spec.replicas 3 → 9 by them (Update)',
    ],
    [
      'a value of which the server has forgotten who wrote it',
      { replicas: 9 },
      [entry('ancient-changes', 'Update', ['f:spec f:replicas'])],
      'spec.replicas 3 → 9',
    ],
    [
      'a value of which the server has forgotten one writer',
      { replicas: 9 },
      [
        entry('kubectl', 'Update', ['f:spec f:replicas']),
        entry('ancient-changes', 'Update', ['f:spec f:replicas'], { time: '2026-01-01T00:00:01Z' }),
      ],
      'spec.replicas 3 → 9 by kubectl (Update)',
    ],
  ])('shows %s and who did it', (_, spec, others, shown) => {
    const observed = stored({ ...desired, spec } as never, [entry('us', 'Apply', ['f:spec f:paused']), ...others]);
    expect(of(desired, observed).map(showDifference)).toEqual([shown]);
  });

  it.each<[string, number]>([
    ['is none where the server has forgotten that we wrote it', 0],
    ['is one where somebody else has it, too', 1],
  ])('%s', (_, count) => {
    const both = ['f:spec f:replicas', 'f:spec f:paused'];
    const others = [entry('ancient-changes', 'Update', both), entry('them', 'Apply', both.slice(0, count))];
    expect(of(desired, stored(desired, others))).toHaveLength(count);
  });

  it('shows a list item that was removed', () => {
    const wanted = {
      ...desired,
      spec: {
        l: [
          { name: 'x', v: 1 },
          { name: 'y', v: 2 },
        ],
      },
    };
    const observed = stored({ ...desired, spec: { l: [{ name: 'x', v: 1 }] } } as never, [
      entry('us', 'Apply', [`${item} f:name`, `${item} f:v`]),
    ]);
    expect(of(wanted, observed).map(showDifference)).toEqual(['spec.l[1] {"name":"y","v":2} → nothing']);
  });

  it.each<[string, object, object]>([
    ['data', { data: { password: 'wanted' } }, { data: { password: 'found' } }],
    ['stringData', { stringData: { password: 'wanted' } }, { stringData: { password: 'found' } }],
    ['all of data', { data: { password: 'wanted' } }, {}],
  ])('shows no value of the %s of a Secret', (_, wanted, found) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const observed = stored({ ...secret, ...found }, [entry('them', 'Update', ['f:data f:password'])]);
    const shown = of({ ...secret, ...wanted }, observed);
    expect(shown).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toMatch(/wanted|found/);
  });

  it('shows the labels of a Secret, and the data of a ConfigMap', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', labels: { l: 'wanted' } } };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'wanted' } };
    for (const manifest of [secret, map]) {
      expect(of(manifest, stored({ ...manifest, metadata: { name: 'a' } }))[0]?.desired).toBe('wanted');
    }
  });

  it.each([
    ['is sensitive', 'spec.token'],
    ['is in what is sensitive', 'spec'],
    ['holds what is sensitive', 'spec.token.value'],
  ])('shows no value of a field that %s', (_, sensitive) => {
    const key = {
      apiVersion: 'example.com/v1',
      kind: 'Key',
      metadata: { name: 'a' },
      spec: { token: 'wanted', size: 1 },
    };
    const observed = stored({ ...key, spec: { token: 'found', size: 2 } }, [
      entry('them', 'Update', ['f:spec f:token']),
    ]);
    const rule = { kind: { apiVersion: 'example.com/v2', kind: 'Key' }, field: sensitive };
    const shown = of(key, observed, DriftPolicy.of({ sensitive: [rule] }));
    expect(shown.map(({ path }) => path)).toEqual(['spec.token', 'spec.size']);
    expect(JSON.stringify(shown)).not.toMatch(/wanted|found/);
    const others = of(
      key,
      observed,
      DriftPolicy.of({ sensitive: [{ ...rule, kind: { ...rule.kind, kind: 'Lock' } }] }),
    );
    expect(others[0]?.observed).toBe('found');
  });

  it.each<[string, string, string, string]>([
    // what, sensitive, added by them, its path
    ['the item of a set', 'spec.tokens', 'f:tokens v:"s3cret"', 'spec.tokens[(hidden)]'],
    ['any item of a set', 'spec.tokens[*]', 'f:tokens v:"s3cret"', 'spec.tokens[(hidden)]'],
    ['a key', 'spec.users[*].token', 'f:users k:{"name":"b","token":"s3cret"}', 'spec.users[name=b,token=(hidden)]'],
    [
      'a key, where what is below may be shown',
      'spec.users[*].token',
      'f:users k:{"name":"a","token":"s3cret"} f:note',
      'spec.users[name=a,token=(hidden)].note',
    ],
    [
      'all that an item says',
      'spec.users',
      'f:users k:{"name":"b","token":"s3cret"}',
      'spec.users[name=(hidden),token=(hidden)]',
    ],
    ['nothing of another field', 'spec.others', 'f:tokens v:"plain"', 'spec.tokens["plain"]'],
  ])('hides %s in the path of what others added', (_, sensitive, added, path) => {
    const key = { apiVersion: 'example.com/v1', kind: 'Key', metadata: { name: 'a' } };
    const user = { name: 'a', token: 's3cret' };
    const child = { ...key, spec: { tokens: ['ours'], users: [user] } };
    const spec = {
      tokens: ['ours', 's3cret', 'plain'],
      users: [
        { ...user, note: 'x' },
        { ...user, name: 'b' },
      ],
    };
    const observed = stored({ ...key, spec }, [
      entry('us', 'Apply', ['f:spec f:tokens v:"ours"', 'f:spec f:users k:{"name":"a","token":"s3cret"} f:name']),
      entry('them', 'Update', [`f:spec ${added}`], { apiVersion: key.apiVersion }),
    ]);
    const policy = DriftPolicy.of({ sensitive: [sensitive] });
    const { reported } = judgedAdditions(child, observed, 'us', policy);
    const shown = differencesIn(reported, { desired: child, observed, manager: 'us', policy });
    expect(shown.map((each) => each.path)).toEqual([path]);
    expect(shown.map(showDifference).join()).not.toContain('s3cret');
  });

  it('shows no note of kubectl apply of what holds something sensitive', () => {
    const note = 'f:metadata f:annotations f:kubectl.kubernetes.io/last-applied-configuration';
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 's3cret', plain: 'x' };
    const child = { apiVersion: 'example.com/v1', kind: 'Key', metadata: { name: 'a', annotations: { ours: '' } } };
    const observed = stored({ ...child, metadata: { name: 'a', annotations: { ...annotations, ours: '' } } }, [
      entry('them', 'Update', [note, 'f:metadata f:annotations f:plain'], { apiVersion: child.apiVersion }),
    ]);
    const rules = [{ field: 'metadata.annotations', mode: 'report' }] as const;
    const policy = DriftPolicy.of({ rules, sensitive: ['spec.token'] });
    const { reported } = judgedAdditions(child, observed, 'us', policy);
    const shown = differencesIn(reported, { desired: child, observed, manager: 'us', policy });
    expect(shown.map((each) => each.observed)).toEqual(['(hidden)', 'x']);
  });

  it('tells when it was written, and cuts what is long', () => {
    const observed = stored({ ...desired, spec: { replicas: 'x'.repeat(500), paused: true } } as never, [
      entry('us', 'Apply', ['f:spec f:paused']),
      entry('kubectl', 'Update', ['f:spec f:replicas'], { time: '2026-02-03T04:05:06Z' }),
    ]);
    const [shown] = of(desired, observed).map(showTimedDifference);
    expect(shown).toMatch(/^spec\.replicas 3 → "x{98}… by kubectl \(Update, 2026-02-03T04:05:06Z\)$/);
  });

  it('is cut between characters', () => {
    expect(showValue(`${'x'.repeat(97)}😀${'x'.repeat(9)}`)).toBe(`"${'x'.repeat(97)}…`);
  });
});
