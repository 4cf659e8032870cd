import { customResource, s } from '../../src/index.js';

/** A kind of which more is asked than a schema can say. */
export const Vault = customResource({
  group: 'versions.kilter.dev',
  version: 'v1',
  kind: 'Vault',
  spec: s.object({
    size: s.int32({ minimum: 0 }),
    tier: s.enum(['small', 'large'], { optional: true }),
    note: s.string({ optional: true }),
  }),
  versions: {
    v1beta1: {
      spec: s.object({ boxes: s.int32() }),
      upgrade: ({ boxes }) => ({ size: boxes }),
      downgrade: ({ size }) => ({ boxes: size }),
    },
  },
  admission: {
    mutate: ({ spec }) => ({ ...spec, tier: spec.tier ?? (spec.size > 10 ? 'large' : 'small') }),
    validate({ spec }, before) {
      if (spec.note === 'mistake') throw new TypeError('a mistake of its author');
      return [
        ...(before && spec.size * 2 < before.spec.size
          ? [`spec.size: ${spec.size} is less than half of ${before.spec.size}`]
          : []),
        ...(spec.tier === 'small' && spec.size > 10 ? ['spec.tier: small is for at most ten'] : []),
      ];
    },
  },
  policies: [
    {
      expression: "object.spec.size <= 100 || 'system:masters' in request.userInfo.groups",
      message: 'only administrators have vaults of more than a hundred',
    },
  ],
});
