import { dirname } from 'node:path';
import { connect } from '../../src/client/http-cluster.js';
import { inClusterConfig } from '../../src/client/in-cluster-config.js';
import { Informer } from '../../src/runtime/informer/informer.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import type { InformerUnderTest } from './informer-under-test.js';

/** Ours, with the client and the credentials that it has in production. */
export const kilterInformer: InformerUnderTest = {
  title: 'kilter',
  async start({ url, tokenFile }, { resource, namespace }, tell, clock) {
    const { hostname: host, port } = new URL(url);
    const cluster = connect(await inClusterConfig({ host, port, folder: dirname(tokenFile), clock }), { clock });
    const informer = new Informer({ cluster, resource, namespace, clock, random: Math.random, log: silentLog });
    informer.subscribe(({ type, object }) => tell(type, object));
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    return {
      list: () => informer.store.list(),
      get isSynced() {
        return informer.isSynced;
      },
      async stop() {
        stop.abort(new Error('the case is over'));
        await ended;
        await cluster.close();
      },
    };
  },
};
