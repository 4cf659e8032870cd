import { describe, expect, it } from '@jest/globals';
import type { FieldsV1, KubeObject } from '../../src/kube/manifest.js';
import { SharedFields } from '../../src/runtime/shared-fields.js';

const spec: FieldsV1 = {
  'f:replicas': {},
  'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"server"}': {} } } },
};

/** As it comes from the server: nothing in it is shared with another. */
function deployment(name: string, fields: FieldsV1 = spec): KubeObject {
  const owner = { [`k:{"uid":"owner-of-${name}"}`]: {} };
  return structuredClone({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace: 'bench',
      uid: name,
      resourceVersion: '1',
      managedFields: [
        {
          manager: 'memcached',
          operation: 'Update',
          time: `2026-01-01T00:00:0${name.length}Z`,
          fieldsV1: { 'f:metadata': { 'f:labels': { '.': {} }, 'f:ownerReferences': owner }, 'f:spec': fields },
        },
        { manager: 'kubelet', operation: 'Update', subresource: 'status' },
      ],
    },
  });
}

const fieldsOf = (object: KubeObject, index = 0) => object.metadata.managedFields?.[index]?.fieldsV1;

describe('shared fields', () => {
  it('change nothing of what an object says', () => {
    const shared = new SharedFields();
    for (const name of ['a', 'bb', 'ccc']) expect(shared.share(deployment(name))).toEqual(deployment(name));
  });

  it('are one value where objects have them in common', () => {
    const shared = new SharedFields();
    const [one, other] = [shared.share(deployment('a')), shared.share(deployment('bb'))];
    expect(fieldsOf(one)?.['f:spec']).toBe(fieldsOf(other)?.['f:spec']);
    expect(fieldsOf(one)?.['f:metadata']?.['f:labels']).toBe(fieldsOf(other)?.['f:metadata']?.['f:labels']);
    expect(fieldsOf(one)?.['f:metadata']?.['f:ownerReferences']).toEqual({ 'k:{"uid":"owner-of-a"}': {} });
    expect(fieldsOf(one, 1)).toBeUndefined();
  });

  it('are kept apart where objects differ', () => {
    const shared = new SharedFields();
    shared.share(deployment('a'));
    const other = deployment('b', { ...spec, 'f:paused': {} });
    expect(shared.share(other)).toEqual(other);
  });

  it('leave the object alone that they were handed, and one without any', () => {
    const shared = new SharedFields();
    shared.share(deployment('a'));
    const [handed, bare] = [
      deployment('b'),
      { ...deployment('c'), metadata: { name: 'c', uid: 'c', resourceVersion: '1' } },
    ];
    shared.share(handed);
    expect(handed).toEqual(deployment('b'));
    expect(shared.share(bare)).toBe(bare);
  });

  it('are right, too, when more parts than are remembered were seen', () => {
    const shared = new SharedFields();
    for (let index = 0; index < 2500; index++) {
      const each = deployment('a', { [`f:field-${index}`]: {} });
      expect(fieldsOf(shared.share(each))).toEqual(fieldsOf(each));
    }
  });
});
