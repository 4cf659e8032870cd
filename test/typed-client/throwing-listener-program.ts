/** An informer whose first listeners throw. Prints what the others hear, and what became of the errors. */
import { ConfigMap } from '../../imports/k8s.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { client } from '../../src/typed-client/client.js';

process.on('uncaughtException', (error) => console.log(`uncaught ${error.message}`));
const server = new EmbeddedServer({ controllers: false });
const stop = new AbortController();
const maps = client(ConfigMap, server.cluster(), { manager: 'test', namespace: 'default' });
const informer = maps.informer();
informer.subscribe(({ object }) => {
  throw new Error(`a mistake about ${object.metadata.name}`);
});
informer.subscribe(({ type, object }) => console.log(`${type} ${object.metadata.name}`));
await informer.start(stop.signal);
for (const name of ['one', 'two']) {
  await maps.apply({ metadata: { name } });
  while (informer.lister.get(name) === undefined) await new Promise((resolve) => setImmediate(resolve));
}
stop.abort();
server.stop();
