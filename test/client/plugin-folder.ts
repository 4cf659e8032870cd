import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { kubeConfig } from '../../src/client/kube-config.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

/** A folder for each test, with a kubeconfig and a plugin that it names. */
export function pluginFolder() {
  let folder: string;
  let clock: VirtualClock;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-plugin-'));
    clock = new VirtualClock();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { PATH: process.env['PATH'] };

  const write = (name: string, content: string, mode?: number) =>
    writeFileSync(join(folder, name), content, mode === undefined ? {} : { mode });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  /** A plugin of these lines, of which `$run` says for which time it runs. */
  const plugin = (lines: string, more = {}) => {
    write('plugin.sh', `echo run >> runs\nrun=$(wc -l < runs | tr -d ' ')\n${lines}\n`);
    return { command: 'sh', args: ['-c', `cd ${folder} && . ./plugin.sh`], interactiveMode: 'Never', ...more };
  };

  return {
    clock: () => clock,
    write,
    read,
    plugin,
    /** How often it was run. */
    runs: () => read('runs').trim().split('\n').length,
    configOf: (exec: object, server = 'https://one', more: object = {}) => {
      const content = {
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'me' } }],
        clusters: [{ name: 'a', cluster: { server, 'insecure-skip-tls-verify': true, ...more } }],
        users: [{ name: 'me', user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', ...exec } } }],
      };
      write('config', JSON.stringify(content));
      return kubeConfig({ path: join(folder, 'config'), environment, clock });
    },
    /** One that prints the tokens `token-1`, `token-2` and so on. */
    tokens: (expiry?: Date) => {
      const until = expiry ? `,\\"expirationTimestamp\\":\\"${expiry.toISOString()}\\"` : '';
      return plugin(`echo "{\\"status\\":{\\"token\\":\\"token-$run\\"${until}}}"`);
    },
  };
}
