import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';

onEveryCluster('kubectl that goes over to server-side apply', {}, (plane) => {
  let admin: HttpCluster;
  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });

  const apply = (name: string, data: object, ...flags: string[]) =>
    plane().kubectl(['apply', '-f', '-', ...flags], {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }),
      allowFailure: true,
    });
  const data = async (name: string) => (await admin.get(ConfigMap, { namespace: 'default', name }))['data'];

  it('keeps what it applied itself, and changes it', async () => {
    await apply('own', { a: '1', b: '1' });
    expect(await apply('own', { a: '2' }, '--server-side')).toMatchObject({ exitCode: 0 });
    expect(await data('own')).toEqual({ a: '2' });
  });

  it('may go back and forth', async () => {
    await apply('both', { a: '1', b: '1' });
    await apply('both', { a: '2', b: '1', c: '1' }, '--server-side');
    expect(await apply('both', { a: '3' })).toMatchObject({ exitCode: 0 });
    expect(await data('both')).toEqual({ a: '3' });
  });

  it('does not take what somebody else has changed since', async () => {
    await apply('shared', { a: '1' });
    await plane().kubectl([
      'patch',
      'configmap',
      'shared',
      '--type=merge',
      '-p',
      '{"data":{"a":"2"}}',
      '--field-manager=other',
    ]);
    const { exitCode, stderr } = await apply('shared', { a: '3' }, '--server-side');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('conflict with "other" using v1: .data.a');
    expect(await data('shared')).toEqual({ a: '2' });
  });
});
