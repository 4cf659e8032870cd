/** A controller whose operator's code misbehaves as the custom resource asks; its arguments are those of production. */
import { setMaxListeners } from 'node:events';
import { ConfigMap } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { customResource, operator, s } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { LeaderElection } from '../../src/runtime/leader-election.js';
import { leaderOnly } from '../../src/runtime/leader-only.js';
import { createLog } from '../../src/runtime/log.js';
import { tellRejections } from '../../src/runtime/promise-owners.js';
import { runController } from '../../src/runtime/run-controller.js';
import { authorMilliseconds, timeLimit } from '../../src/runtime/time-limit.js';

const deeds = [
  'none',
  'throws',
  'rejects',
  'rejects later',
  'is async',
  'loops',
  'loops in status',
  'recurses',
] as const;

const Mischief = customResource({
  group: 'mischief.kilter.dev',
  version: 'v1',
  kind: 'Mischief',
  plural: 'mischiefs',
  spec: s.object({ deed: s.enum(deeds) }),
});

const forever = (): never => {
  for (;;);
};
const deeper = (depth: number): number => deeper(depth + 1) + 1;

export const mischief = operator(Mischief, {
  owns: [ConfigMap],
  compose(scope, cr) {
    const { deed } = cr.spec;
    const map = new ConfigMap(scope, 'map', { data: { deed } });
    if (deed === 'throws') throw new Error('a mistake of its author');
    if (deed === 'loops') forever();
    if (deed === 'recurses') deeper(0);
    if (deed === 'rejects') void Promise.reject(new Error('a mistake of its author'));
    if (deed === 'rejects later') {
      void (async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new Error('a mistake of its author');
      })();
    }
    // What the compiler refuses, JavaScript does not.
    if (deed === 'is async') return Promise.reject(new Error('a mistake of its author')) as never;
    return { map };
  },
  status(_, __, cr) {
    if (cr.spec.deed === 'loops in status') forever();
    return {};
  },
});

const [, , command, kubeconfig = ''] = process.argv;
if (command === 'crd') process.stdout.write(JSON.stringify(Mischief.crd()));
else {
  const log = createLog({ level: 'info', format: 'json', write: (line) => process.stdout.write(line) });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  process.once('SIGTERM', () => stop.abort(new Error('stopped')));
  tellRejections((reason) => {
    log.error('Fatal', { error: reason });
    process.exit(1);
  });
  const cluster = connect(await kubeConfig({ path: kubeconfig }));
  const { random } = Math;
  const names = { namespace: 'default', id: 'mischief', identity: String(process.pid) };
  const election = new LeaderElection({ cluster: cluster.lease(), clock: systemClock, random, log, ...names });
  const leading = election.acquire(stop.signal);
  runController(
    {
      operators: [mischief],
      cluster: leaderOnly(cluster, election),
      clock: systemClock,
      random,
      log,
      mayWrite: leading,
      limit: timeLimit(authorMilliseconds),
    },
    stop.signal,
  );
  await leading;
  await election.renew(stop.signal, (error) => {
    log.error('Lost the Lease', { error });
    process.exit(1);
  });
}
