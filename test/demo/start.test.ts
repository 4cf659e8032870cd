import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalCluster, startLocalCluster } from '../../src/embedded/local-cluster.js';
import { eventually } from '../cluster/eventually.js';
import { packageRoot } from '../cluster/package-root.js';
import { withKubectl } from '../cluster/with-kubectl.js';
import { isAlive, RunningProgram } from '../running-program.js';

const steps = [
  /✔ Rendered dist\/: \d+ files/,
  /✔ Kubernetes v1\.\d+\.\d+ .*at https:\/\/127\.0\.0\.1:\d+/,
  /✔ Applied dist\/ in \d waves, as Argo CD would/,
  /✔ The controller runs here as ServiceAccount memcached-operator-system\/memcached-operator, with the rendered RBAC/,
  /✔ Applied the sample: Deployment and Service were there \d+ ms after/,
  /✔ Somebody scaled Deployment memcached-sample-server from 3 to 9: back after \d+ ms/,
  /DriftCorrected Deployment\/memcached-sample-server: spec\.replicas 3 → 9 by somebody \(Update\)/,
  /✔ Somebody deleted Service memcached-sample-service: recreated after \d+ ms/,
  /✔ FlightTicket example-flightticket is booked as B1, from Frankfurt to Lisbon, at http:\/\/127\.0\.0\.1:\d+\/bookings/,
];

/** Its temporary files and what it renders are in a folder of its own, so that what it leaves behind is seen. */
let scratch: string;
const running: RunningProgram[] = [];
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'kilter-start-test-'));
  // Compiles it for those tests that do without npm.
  await npmStart(['--help']).program.exited;
});
afterEach(async () => {
  for (const program of running.splice(0)) await program.kill();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const temporary = mkdtempSync(join(scratch, 'tmp-'));
  const program = new RunningProgram(command, args, {
    cwd: packageRoot,
    env: { CDK8S_OUTDIR: join(scratch, 'dist'), TMPDIR: temporary, ...env },
  });
  running.push(program);
  return { program, leftBehind: () => readdirSync(temporary).filter((name) => name.startsWith('kilter')) };
}

const npmStart = (args: readonly string[]) => start('npm', ['start', '--', ...args]);
/** As `npm start` compiled it. */
const compiled = join(packageRoot, 'build/start/test/demo/start.js');
const nodeStart = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
  start(process.execPath, [compiled, ...args], env);

describe('npm start', () => {
  it('tells the whole story on the embedded API server, and ends', async () => {
    const { program, leftBehind } = npmStart(['--once']);
    expect({ exitCode: await program.exited, output: program.output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/✔/),
    });
    for (const step of steps) expect(program.output).toMatch(step);
    expect(program.output.match(/✔.*\[\d[\d.]*m?s\]/g)).toHaveLength(steps.length - 1);
    expect(leftBehind()).toEqual([]);
  });

  it('explains itself', async () => {
    const { program } = nodeStart(['--help']);
    expect(await program.exited).toBe(0);
    for (const word of ['--once', '--cluster embedded', '--cluster real', '--cluster current', '--yes']) {
      expect(program.output).toContain(word);
    }
  });

  it.each([
    [['--cluster', 'imagined'], 'There is no cluster "imagined".'],
    [['--twice'], "Unknown option '--twice'"],
  ])('does not guess what %j means', async (args, words) => {
    const { program } = nodeStart(args);
    expect(await program.exited).toBe(2);
    expect(program.output).toContain(words);
  });
});

describe("npm start on somebody's cluster", () => {
  let cluster: LocalCluster;
  let kubeconfig: string;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    kubeconfig = join(scratch, 'theirs.kubeconfig');
    writeFileSync(kubeconfig, cluster.kubeconfig({ namespace: 'default' }));
  });
  afterAll(() => cluster.close());

  /** By kind and name, without what comes and goes in any cluster. */
  const everything = () => {
    const { store } = cluster.server;
    return store.resources
      .filter((resource) => !/^(events|leases)/.test(resource))
      .flatMap((resource) => store.list(resource).map(({ metadata }) => `${resource}/${metadata.name}`))
      .sort();
  };

  it('does nothing when nobody can be asked', async () => {
    const before = everything();
    const { program } = nodeStart(['--once', '--cluster', 'current'], { KUBECONFIG: kubeconfig });
    expect(await program.exited).toBe(1);
    expect(program.output).toContain(
      `this would install into the context "kilter" (${cluster.url}), namespace "default"`,
    );
    expect(program.output).toContain('pass --yes');
    expect(everything()).toEqual(before);
  });

  it('tells the story when told to, and takes away what it brought', async () => {
    const before = everything();
    const { program, leftBehind } = nodeStart(['--once', '--cluster', 'current', '--yes'], { KUBECONFIG: kubeconfig });
    expect(await program.exited).toBe(0);
    for (const step of steps) expect(program.output).toMatch(step);
    await eventually(() => expect(everything()).toEqual(before));
    expect(leftBehind()).toEqual([]);
  });

  it('touches nothing that is there already', async () => {
    const namespaces = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
    const theirs = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'memcached-operator-system' } };
    await cluster.server.cluster().create(namespaces, theirs, { fieldManager: 'they' });
    const before = everything();
    const { program } = nodeStart(['--once', '--cluster', 'current', '--yes'], { KUBECONFIG: kubeconfig });
    expect(await program.exited).toBe(1);
    expect(program.output).toContain('Namespace/memcached-operator-system is there already');
    expect(everything()).toEqual(expect.arrayContaining(before));
    expect(everything().filter((name) => name.includes('memcached') && !before.includes(name))).toEqual([]);
  });

  it('says that there is no kubeconfig', async () => {
    const { program } = nodeStart(['--cluster', 'current', '--yes'], { HOME: scratch });
    expect(await program.exited).toBe(1);
    expect(program.output).toContain('there is no kubeconfig');
  });
});

withKubectl('npm start, once the story is told,', ({ kubectl, binaries }) => {
  /** All of it, with a cluster and a controller that start. */
  const isTold = (program: RunningProgram) => program.shows('until Ctrl-C', 0, 60);

  it('serves kubectl until Ctrl-C, corrects what is changed, and leaves nothing behind', async () => {
    const { program, leftBehind } = nodeStart([]);
    await isTold(program);
    const kubeconfig = /export KUBECONFIG=(.*)/.exec(program.output)?.[1] ?? '';
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    const run = kubectl(kubeconfig);

    await eventually(async () => {
      const { stdout } = await run(['get', 'memcached']);
      expect(stdout).toMatch(/memcached-sample +3 +3 +True/);
    });
    await run(['scale', 'deployment', 'memcached-sample-server', '--replicas=7']);
    await eventually(async () => {
      const { stdout } = await run(['get', 'deployment', 'memcached-sample-server', '-o', 'jsonpath={.spec.replicas}']);
      expect(stdout).toBe('3');
    });
    await run(['scale', 'memcached', 'memcached-sample', '--replicas=5']);
    await eventually(async () => {
      expect((await run(['get', 'deployment', 'memcached-sample-server'])).stdout).toMatch(/5\/5/);
    });

    const started = program.descendants();
    expect(started.filter(isAlive).length).toBeGreaterThan(0);
    expect(await program.interrupt()).toBe(0);
    expect(started.filter(isAlive)).toEqual([]);
    expect(leftBehind()).toEqual([]);
  }, 150_000);

  it('leaves nothing behind when it is interrupted in the middle', async () => {
    const { program, leftBehind } = nodeStart([]);
    await program.shows('Applying dist/');
    const started = program.descendants();
    expect(await program.interrupt()).toBe(130);
    expect(started.filter(isAlive)).toEqual([]);
    expect(leftBehind()).toEqual([]);
  });

  it('leaves nothing behind when it is killed', async () => {
    const { program, leftBehind } = nodeStart([]);
    await isTold(program);
    const started = program.descendants();
    await program.kill();
    await eventually(() => {
      expect(started.filter(isAlive)).toEqual([]);
      expect(leftBehind()).toEqual([]);
    });
  });

  it('tells the same story on a real control plane', async () => {
    const { program, leftBehind } = nodeStart(['--once', '--cluster', 'real'], { KUBEBUILDER_ASSETS: binaries });
    expect(await program.exited).toBe(0);
    for (const step of steps) expect(program.output).toMatch(step);
    expect(leftBehind()).toEqual([]);
  });
});
