import { customResource, s } from '../../src/index.js';

/** A kind with a past: `size` was `replicas` once, and before that a word; what runs could not be chosen. */
export const Cache = customResource({
  group: 'versions.kilter.dev',
  version: 'v1',
  kind: 'Cache',
  spec: s.object({
    size: s.int32({ minimum: 0, maximum: 10 }),
    image: s.string({ default: 'memcached:1.6-alpine' }),
    labels: s.map(s.string(), { optional: true }),
  }),
  status: s.object({ nodes: s.array(s.string()) }),
  columns: { Size: '.spec.size' },
  versions: {
    v1beta1: {
      spec: s.object({ replicas: s.int32({ minimum: 0, default: 1 }), labels: s.map(s.string(), { optional: true }) }),
      deprecated: 'versions.kilter.dev/v1beta1 Cache is deprecated: use v1',
      columns: { Replicas: '.spec.replicas' },
      upgrade: ({ replicas, labels }) => ({ size: replicas, ...(labels ? { labels } : {}) }),
      downgrade: ({ size, labels }) => ({ replicas: size, ...(labels ? { labels } : {}) }),
    },
    v1alpha1: {
      spec: s.object({ size: s.enum(['none', 'some', 'many']) }),
      upgrade: ({ size }) => ({ size: { none: 0, some: 3, many: 10 }[size] }),
      downgrade: ({ size }) => {
        if (size === 7) throw new RangeError('seven has no name');
        return { size: size === 0 ? 'none' : size < 10 ? 'some' : 'many' } as const;
      },
    },
  },
});
