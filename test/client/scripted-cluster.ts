import { afterEach, beforeEach } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { ScriptedServer } from './scripted-server.js';

/** A ConfigMap as the server holds it. */
export const object = (name: string, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', resourceVersion: '7', uid: name },
  data,
});

/** A server for each test, and a client of it whose waits are as short as they may be. For use inside tests. */
export function scriptedCluster(): { readonly server: ScriptedServer; readonly cluster: HttpCluster } {
  let server: ScriptedServer;
  let cluster: HttpCluster;
  beforeEach(async () => {
    server = await ScriptedServer.start();
    cluster = connect(server.config, { random: () => 0 });
  });
  afterEach(async () => {
    await cluster.close();
    await server.stop();
  });
  return {
    get server() {
      return server;
    },
    get cluster() {
      return cluster;
    },
  };
}
