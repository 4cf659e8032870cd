import { customResource, s } from '../../src/index.js';

export const Cache = customResource({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Cache',
  spec: s.object({ size: s.int32({ minimum: 0 }), image: s.string({ default: 'memcached:1.6-alpine' }) }),
  versions: {
    v1beta1: {
      spec: s.object({ replicas: s.int32({ minimum: 0 }) }),
      deprecated: 'cache.example.com/v1beta1 Cache is deprecated: use v1',
      upgrade: ({ replicas }) => ({ size: replicas }),
      downgrade: ({ size }) => ({ replicas: size }),
    },
  },
});
