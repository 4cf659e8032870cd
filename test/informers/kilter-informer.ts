import { readFile } from 'node:fs/promises';
import type { TlsOptions } from '../../src/client/cluster-config.js';
import { connect } from '../../src/client/http-cluster.js';
import { Informer } from '../../src/runtime/informer.js';
import { silentLog } from '../../src/runtime/log.js';
import type { InformerUnderTest } from './informer-under-test.js';

/** Ours, with the client that it has in production. */
export const kilterInformer: InformerUnderTest = {
  title: 'kilter',
  async start({ url, tokenFile, caFile }, { resource, namespace }, tell, clock) {
    let tls: TlsOptions = {};
    const cluster = connect(
      {
        server: url,
        namespace,
        async tls() {
          const ca = await readFile(caFile, 'utf8');
          if (tls.ca !== ca) tls = { ca };
          return tls;
        },
        authorization: async () => `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`,
      },
      { clock },
    );
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
