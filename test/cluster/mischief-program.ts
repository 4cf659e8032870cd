/** A controller whose operator's code misbehaves as the custom resource asks. */
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, many, operator, s } from '../../src/index.js';
import { runOperators } from '../../src/program/run-operators.js';

const deeds = [
  'none',
  'throws',
  'rejects',
  'rejects later',
  'composes later',
  'throws what nobody can look at',
  'rejects with what nobody can look at',
  'throws later',
  'throws much later',
  'throws in a microtask',
  'rejects in reads',
  'throws in the end',
  'is async',
  'loops',
  'loops in status',
  'loops for what it sees',
  'takes 3 s',
  'recurses',
  'rejects outside',
  'rejects outside with what nobody can look at',
  'throws itself outside',
  'rejects twice outside',
  'throws outside',
  'throws outside in a microtask',
  'never ends outside',
  'takes long outside',
  'waits for the system outside',
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
const forThreeSeconds = (): void => {
  const end = performance.now() + 3000;
  while (performance.now() < end);
};
/** Until the test has seen the line that tells of it, but not so long that the Lease is lost. */
const untilTold = (): void => {
  const end = performance.now() + 8000;
  while (!existsSync('told') && performance.now() < end);
};
/** Many short waits: one that a pause of the machine falls into is over at once. */
const threeSecondsOfTheSystem = 'for turn in 1 2 3 4 5 6; do sleep 0.5; done';
const deeper = (depth: number): number => deeper(depth + 1) + 1;
const fail = (): never => {
  throw new Error('a mistake of its author');
};
/** Whoever looks at it throws it. */
const unsightly: unknown = new Proxy(new Error(), {
  get: () => {
    throw unsightly;
  },
  getPrototypeOf: () => {
    throw unsightly;
  },
});
const itself = new AggregateError([], '');
itself.errors.push(itself);
const soon = (milliseconds = 50) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const failsSoon = () => soon().then(fail);

/** Of a timer that was there before any custom resource nobody knows for whom it is. */
let isTheEnd = false;
setInterval(() => isTheEnd && fail(), 50).unref();

export const mischief = operator(Mischief, {
  owns: [ConfigMap],
  reads: {
    none: many(ConfigMap, ({ spec: { deed } }) => {
      if (deed === 'rejects in reads') void failsSoon();
      return { labels: { deed: 'none' } };
    }),
  },
  compose(scope, cr) {
    const { deed } = cr.spec;
    const map = new ConfigMap(scope, 'map', { data: { deed } });
    if (deed === 'throws') fail();
    if (deed === 'loops') forever();
    if (deed === 'recurses') deeper(0);
    if (deed === 'rejects') void Promise.reject(new Error('a mistake of its author'));
    if (deed === 'throws what nobody can look at') throw unsightly;
    if (deed === 'rejects with what nobody can look at') void Promise.reject(unsightly);
    if (deed === 'rejects later') void failsSoon();
    if (deed === 'composes later') void soon(1).then(() => new ConfigMap(scope, 'late'));
    if (deed === 'throws later') setTimeout(fail, 50);
    if (deed === 'throws much later') setTimeout(() => setTimeout(fail, 50), 50);
    if (deed === 'throws in a microtask') queueMicrotask(fail);
    if (deed === 'throws in the end') isTheEnd = true;
    if (deed === 'takes 3 s') forThreeSeconds();
    // What the compiler refuses, JavaScript does not.
    if (deed === 'is async') return Promise.reject(new Error('a mistake of its author')) as never;
    return { map };
  },
  external: {
    elsewhere: {
      pollSeconds: 60,
      observe: () => soon(1),
      async ensure({ spec: { deed } }) {
        if (deed === 'rejects outside') void failsSoon();
        if (deed === 'rejects outside with what nobody can look at') void Promise.reject(unsightly);
        if (deed === 'throws itself outside') throw itself;
        if (deed === 'throws outside') setTimeout(fail, 50);
        if (deed === 'throws outside in a microtask') queueMicrotask(fail);
        if (deed === 'never ends outside') await new Promise(() => process.stderr.write('waits for ever\n'));
        if (deed === 'takes long outside') await soon(1).then(untilTold);
        if (deed === 'waits for the system outside') execSync(threeSecondsOfTheSystem);
        if (deed !== 'rejects twice outside') return;
        const [first, second] = [failsSoon(), failsSoon()];
        await first;
        await second;
      },
      remove: async () => {},
    },
  },
  status({ map }, _, { spec: { deed } }) {
    if (deed === 'loops in status') forever();
    if (deed === 'loops for what it sees' && map?.metadata.annotations?.['loop']) forever();
    return {};
  },
});

if (process.argv[2] === 'crd') process.stdout.write(JSON.stringify(Mischief.crd()));
else {
  // As a pool of connections, or a poll of something outside: it must keep nobody who waits for the process to end.
  setInterval(() => {}, 1000);
  process.exitCode = await runOperators([mischief]);
}
