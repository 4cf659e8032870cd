/**
 * The embedded API server in a process of its own, as the bench measures it: `node embedded-side.mjs ready-http`
 * prints after how many milliseconds it answered, since the process began and since the server was asked for; `serve`
 * prints a kubeconfig and serves until its input ends.
 */
import { once } from 'node:events';
import { get } from 'node:https';
import { admin, EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { type HttpServer, serve } from '../../src/embedded/http/serve.js';

/** When the server answered, in milliseconds. */
export interface Ready {
  readonly sinceProcess: number;
  readonly sinceAsked: number;
}

const token = 'bench';
const mode = process.argv[2];
const asked = performance.now();

if (mode === 'ready-http' || mode === 'serve') {
  const server = new EmbeddedServer({ controllers: false, tokens: { [token]: { ...admin, name: 'admin' } } });
  const { verbs, kinds, clock, random, desk } = server;
  const http = await serve({ verbs, kinds, clock, random, desk });
  if (mode === 'serve') {
    process.stdout.write(`${http.kubeconfig(token).replaceAll('\n', '\\n')}\n`);
    for await (const _ of process.stdin);
  } else {
    await answered(http);
    tellReady();
  }
  await http.close();
  server.stop();
}

function tellReady(): void {
  const now = performance.now();
  process.stdout.write(JSON.stringify({ sinceProcess: now, sinceAsked: now - asked } satisfies Ready));
}

async function answered({ url, ca }: HttpServer): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(`${url}/api/v1/configmaps`, { ca, headers, agent: false });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`the server answered ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
}
