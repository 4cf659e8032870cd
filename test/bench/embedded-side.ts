/**
 * The embedded API server in a process of its own, as the bench measures it: `node embedded-side.js ready|ready-http`
 * prints after how many milliseconds it answered, `serve` prints a kubeconfig and serves until its input ends.
 */
import { admin, EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { serve } from '../../src/embedded/http/serve.js';
import { apiOf } from './api.js';

const configMaps = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const token = 'bench';
const mode = process.argv[2];

if (mode === 'ready') {
  const server = new EmbeddedServer({ controllers: false });
  await server.cluster().list(configMaps);
  process.stdout.write(String(performance.now()));
  server.stop();
}
if (mode === 'ready-http' || mode === 'serve') {
  const server = new EmbeddedServer({ controllers: false, tokens: { [token]: { ...admin, name: 'admin' } } });
  const { verbs, kinds, clock, random, desk } = server;
  const http = await serve({ verbs, kinds, clock, random, desk });
  if (mode === 'serve') {
    process.stdout.write(`${http.kubeconfig(token).replaceAll('\n', '\\n')}\n`);
    for await (const _ of process.stdin);
  } else {
    const api = apiOf(http.url, http.ca ?? '', token);
    await api.ask('GET', '/api/v1/configmaps');
    process.stdout.write(String(performance.now()));
    await api.close();
  }
  await http.close();
  server.stop();
}
