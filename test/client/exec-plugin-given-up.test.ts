import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runExecPlugin } from '../../src/client/exec-plugin.js';

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
    await expect(runExecPlugin(exec, { environment, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(existsSync(runs)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
