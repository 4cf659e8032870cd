import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runExecPlugin } from '../../src/client/exec-plugin.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { eventually } from '../cluster/eventually.js';
import { isAlive } from '../running-program.js';

it('a plugin is not begun for whoever has given up before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-plugin-'));
  try {
    const runs = join(folder, 'runs');
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'touch',
      args: [runs],
      interactiveMode: 'Never',
    };
    const environment = { PATH: process.env['PATH'] };
    const reason = new Error('no answer within 5 minutes');
    await expect(
      runExecPlugin(exec, { environment, clock: new VirtualClock(), signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
    expect(existsSync(runs)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a plugin that does not end as it is asked to is ended by force', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-plugin-'));
  const clock = new VirtualClock();
  const abort = new AbortController();
  let pid: number | undefined;
  try {
    const file = join(folder, 'pid');
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', `trap "" TERM; echo $$ > ${file}.new; mv ${file}.new ${file}; while :; do sleep 1; done`],
      interactiveMode: 'Never',
    };
    const environment = { PATH: process.env['PATH'] };
    const given = runExecPlugin(exec, { environment, clock, signal: abort.signal });
    given.catch(() => {});
    pid = await eventually(() => Number(readFileSync(file, 'utf8')));
    const reason = new Error('no answer within 5 minutes');
    abort.abort(reason);
    await expect(given).rejects.toBe(reason);
    await clock.advance(4999);
    expect(isAlive(pid)).toBe(true);
    await clock.advance(1);
    await eventually(() => expect(isAlive(Number(pid))).toBe(false));
    expect(clock.timers).toBe(0);
  } finally {
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
