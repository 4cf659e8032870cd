import { beforeAll, describe, expect, it } from '@jest/globals';
import { Memcached } from '../../src/operators/memcached.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { runKilter } from './run-kilter.js';

onEveryCluster('kilter', {}, (plane) => {
  const kilter = (...args: string[]) => runKilter([...args, '--kubeconfig', plane().kubeconfig]);
  const annotations = async () => {
    const { stdout } = await plane().kubectl(['get', 'memcached', 'cache', '-o', 'json']);
    const { metadata } = JSON.parse(stdout) as { metadata: { annotations?: Record<string, string> } };
    return metadata.annotations ?? {};
  };

  beforeAll(async () => {
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(Memcached.crd()) });
    await plane().kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
    const cache = {
      apiVersion: Memcached.apiVersion,
      kind: 'Memcached',
      metadata: { name: 'cache' },
      spec: { size: 1 },
    };
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(cache) });
  });

  describe('suspends, resumes and reconciles', () => {
    it.each(['mc', 'memcached', 'memcacheds', 'Memcached', 'memcacheds.memcached.cache.example.com'])(
      'a custom resource of the kind %s',
      async (kind) => {
        expect(await kilter('suspend', `${kind}/cache`)).toMatchObject({
          exitCode: 0,
          stdout: 'Memcached/default/cache suspended\n',
        });
        expect(await annotations()).toMatchObject({ 'memcached.cache.example.com/reconcile': 'suspended' });
        expect(await kilter('resume', `${kind}/cache`, '-n', 'default')).toMatchObject({ exitCode: 0 });
        expect(await annotations()).not.toHaveProperty(['memcached.cache.example.com/reconcile']);
      },
    );

    it('by a time that the controller echoes', async () => {
      expect(await kilter('reconcile', 'mc/cache')).toMatchObject({
        exitCode: 0,
        stdout: 'Memcached/default/cache asked to reconcile\n',
      });
      const { 'memcached.cache.example.com/requested-at': at = '' } = await annotations();
      expect(new Date(at).toISOString()).toBe(at);
    });
  });

  it.each([
    ['a kind that there is not', 'nothing/cache', 'the cluster has no kind "nothing"'],
    ['an object that there is not', 'mc/other', 'not found'],
    ['no name', 'mc', '"mc" names no custom resource'],
    ['too many names', 'mc/a/b', '"mc/a/b" names no custom resource'],
  ])('refuses %s', async (_, said, message) => {
    const { exitCode, stderr } = await kilter('suspend', said);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});
