/** `npm run informers`: plays every fault of the suite to kilter's informer and to others, and writes docs/informers.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { startControlPlane } from '../cluster/control-plane.js';
import { packageRoot } from '../cluster/package-root.js';
import { cases } from './cases.js';
import { clientNodeInformer } from './client-node-informer.js';
import { comparison, type Row } from './comparison.js';
import { kilterInformer } from './kilter-informer.js';
import { playCase } from './play-case.js';

const { values: options } = parseArgs({
  options: {
    /** How long an informer has to show what is there. */
    seconds: { type: 'string', default: '130' },
    /** How many cases are played at once. */
    parallel: { type: 'string', default: '8' },
    report: { type: 'string', default: 'docs/informers.md' },
  },
});
const seconds = Number(options.seconds);
const contenders = [kilterInformer, clientNodeInformer({ restarts: false }), clientNodeInformer({ restarts: true })];

// Whatever a library leaves unhandled is its result, and not the end of the comparison.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

const plane = await startControlPlane({ progress: (line) => process.stderr.write(`${line}\n`) });
const admin = connect(await kubeConfig({ path: plane.kubeconfig }));
const ground = { url: plane.url, ca: plane.ca, token: plane.adminToken, admin, plane };
const rows: Row[] = cases.map(({ id, title }) => ({ id, title, played: [] }));
const turns = cases.flatMap((each, index) =>
  contenders.map((underTest, column) => ({ each, index, underTest, column })),
);
let done = 0;
async function playOn(): Promise<void> {
  for (let turn = turns.shift(); turn; turn = turns.shift()) {
    const { each, index, underTest, column } = turn;
    const namespace = `case-${index}-${column}`;
    const scale = { failures: 5 };
    rows[index]!.played[column] = await playCase(each, {
      ground,
      namespace,
      underTest,
      scale,
      // Everybody waits as long as he would in production.
      mayHurry: false,
      seconds,
    });
    process.stderr.write(`${++done} of ${rows.length * contenders.length}: ${each.id}, ${underTest.title}\n`);
  }
}
await Promise.all(Array.from({ length: Number(options.parallel) }, playOn));
await admin.close();
await plane.stop();

const page = comparison({
  rows,
  contenders: contenders.map(({ title }) => title),
  seconds,
  kubernetes: plane.version,
  node: process.versions.node,
});
const file = join(packageRoot, options.report);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, page);
process.stdout.write(page);
process.exit(0);
