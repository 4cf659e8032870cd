import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Bundler } from '../../../src/cli/dev/bundler.js';
import type { DevCluster } from '../../../src/cli/dev/dev-cluster.js';
import { DevSession } from '../../../src/cli/dev/dev-session.js';
import { OperatorError } from '../../../src/kube/errors.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { eventually } from '../../cluster/eventually.js';

let folder: string;
let session: DevSession;
let clock: VirtualClock;
let said: string[];
let builds: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dev-session-'));
  clock = new VirtualClock();
  said = [];
  builds = 0;
  const bundler = {
    folders: new Set([folder]),
    build: async () => {
      builds++;
      throw new OperatorError('it does not compile');
    },
    close: async () => {},
  };
  session = new DevSession({
    bundler: bundler as unknown as Bundler,
    cluster: {} as DevCluster,
    entry: 'src/operators/all.ts',
    samples: undefined,
    clock,
    say: (text) => said.push(text),
    line: () => {},
  });
});
afterEach(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

it('tells once of a source that does not compile, and again when something was written', async () => {
  const complaint = 'it does not compile\n(no controller runs; it is tried again when you save)';
  await session.start();
  await clock.advance(1000);
  expect(builds).toBe(2);
  expect(said).toEqual([complaint]);

  writeFileSync(join(folder, 'all.ts'), '');
  await eventually(async () => {
    await clock.advance(1000);
    expect(said).toEqual([complaint, complaint]);
  });
});
