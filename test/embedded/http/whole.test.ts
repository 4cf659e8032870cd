import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { withServed } from './served.js';

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

onRealCluster('what the real API server has, and the embedded one', {}, (plane) => {
  const served = withServed();
  let real: AskServer;
  beforeAll(() => {
    real = new AskServer(plane());
  });
  afterAll(() => real.close());

  const pathsOf = async () => (await real.ask('GET', '/')).body['paths'] as readonly string[];
  const codeOf = async (path: string, method = 'GET') => (await served().ask(method, path)).code;

  it('has too, or says that it has not: paths', async () => {
    const isOfOneCheck = (path: string) => /^\/(healthz|livez|readyz)\/./.test(path);
    const paths = (await pathsOf()).filter((path) => !path.startsWith('/api') && !isOfOneCheck(path));
    expect(paths.length).toBeGreaterThan(10);
    const codes = await Promise.all(paths.map(async (path) => [path, await codeOf(path)] as const));
    expect(codes.filter(([, code]) => code !== 200 && code !== 501)).toEqual([]);
  });

  it('has too, or says that it has not: resources and subresources', async () => {
    const versions = (await pathsOf()).filter((path) => /^\/api\/v1$|^\/apis\/[^/]+\/v\d+$/.test(path));
    const missing: string[] = [];
    let count = 0;
    for (const version of versions) {
      const resources = (await real.ask('GET', version)).body['resources'] as unknown as readonly Resource[];
      const own = ((await served().ask('GET', version)).body['resources'] ?? []) as unknown as readonly Resource[];
      for (const { name, namespaced, verbs } of resources) {
        count++;
        if (own.some((each) => each.name === name && String(each.verbs) === String(verbs))) continue;
        const [plural, subresource] = name.split('/');
        const path = `${version}${namespaced ? '/namespaces/default' : ''}/${plural}`;
        const method = verbs.includes('get') ? 'GET' : 'POST';
        const code = await codeOf(subresource === undefined ? path : `${path}/x/${subresource}`, method);
        if (code !== 501) missing.push(`${method} ${version} ${name}: ${code}`);
      }
    }
    expect(count).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });
});
