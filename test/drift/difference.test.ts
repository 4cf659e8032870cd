import { describe, expect, it } from '@jest/globals';
import { differences, showDifference } from '../../src/drift/difference.js';
import type { ManagedFieldsEntry } from '../../src/kube/manifest.js';
import { entry, stored } from './an-object.js';

const desired = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: { replicas: 3, paused: true },
};
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
  ])('shows %s and who did it', (_, spec, others, shown) => {
    const observed = stored({ ...desired, spec } as never, [entry('us', 'Apply', ['f:spec f:paused']), ...others]);
    expect(differences(desired, observed, 'us').map(showDifference)).toEqual([shown]);
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
    expect(differences(wanted, observed, 'us').map(showDifference)).toEqual(['spec.l[1] {"name":"y","v":2} → nothing']);
  });

  it.each<[string, object, object]>([
    ['data', { data: { password: 'wanted' } }, { data: { password: 'found' } }],
    ['stringData', { stringData: { password: 'wanted' } }, { stringData: { password: 'found' } }],
    ['all of data', { data: { password: 'wanted' } }, {}],
  ])('shows no value of the %s of a Secret', (_, wanted, found) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const observed = stored({ ...secret, ...found }, [entry('them', 'Update', ['f:data f:password'])]);
    const shown = differences({ ...secret, ...wanted }, observed, 'us');
    expect(shown).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toMatch(/wanted|found/);
  });

  it('shows the labels of a Secret, and the data of a ConfigMap', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', labels: { l: 'wanted' } } };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'wanted' } };
    for (const manifest of [secret, map]) {
      expect(differences(manifest, stored({ ...manifest, metadata: { name: 'a' } }), 'us')[0]?.desired).toBe('wanted');
    }
  });
});
