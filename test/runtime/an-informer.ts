import type { Cluster } from '../../src/client/cluster.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { Informer, type InformerOptions } from '../../src/runtime/informer/informer.js';
import { NewestVersion } from '../../src/runtime/informer/newest-version.js';
import { createLog } from '../../src/runtime/telemetry/log.js';
import { settled, VirtualClock } from '../../src/testing/virtual-clock.js';
import { configMaps } from './an-object.js';
import { added, bookmark, ScriptedCluster } from './scripted-cluster.js';

/** An informer on a scripted cluster, and what can be seen of it. */
export function anInformer(options: Partial<InformerOptions> = {}) {
  const cluster = new ScriptedCluster();
  const clock = new VirtualClock();
  const stop = new AbortController();
  const newest = new NewestVersion();
  const lines: { readonly level: string; readonly msg: string }[] = [];
  const log = createLog({ level: 'debug', format: 'json', write: (line) => lines.push(JSON.parse(line)) });
  const informer = new Informer({
    cluster: cluster as unknown as Cluster,
    resource: configMaps,
    clock,
    random: () => 0,
    log,
    newest,
    ...options,
  });
  const heard: string[] = [];
  informer.subscribe(({ type, object }) => heard.push(`${type} ${shown(object)}`));
  let ended: Promise<void> | undefined;
  return {
    cluster,
    clock,
    informer,
    /** What others of the same API server have seen. */
    newest,
    /** Each change that listeners heard, such as `added a@1`. */
    heard,
    lines,
    /** What the store holds, such as `a@1`. */
    stored: () => informer.store.list().map(shown).sort(),
    async start() {
      ended = informer.run(stop.signal);
      await settled();
    },
    /** Starts, and completes the first list with these objects, at this version. */
    async synced(resourceVersion: string, ...objects: readonly KubeObject[]) {
      ended = informer.run(stop.signal);
      await settled();
      cluster.stream.send(...objects.map(added), bookmark(resourceVersion, true));
      await settled();
      cluster.asked.length = 0;
      heard.length = 0;
    },
    /** Aborts, and resolves when it has stopped. */
    async stop() {
      stop.abort(new Error('stopped'));
      await ended;
    },
  };
}

const shown = ({ metadata }: KubeObject) => `${metadata.name}@${metadata.resourceVersion}`;
