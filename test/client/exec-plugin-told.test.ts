import { describe, expect, it, jest } from '@jest/globals';
import { pluginFolder } from './plugin-folder.js';

const { configOf, plugin, read, write } = pluginFolder();

describe('a plugin', () => {
  it('has the environment, what the kubeconfig adds, and what it is asked for', async () => {
    const env = [{ name: 'PROFILE', value: 'prod' }];
    await configOf(plugin('env > seen; echo \'{"status":{"token":"a"}}\'', { env }));
    const seen = read('seen');
    expect(seen).toContain(`PATH=${process.env['PATH']}`);
    expect(seen).toContain('PROFILE=prod');
    expect(JSON.parse(/^KUBERNETES_EXEC_INFO=(.*)$/m.exec(seen)?.[1] ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  it.each([
    [undefined, true],
    ['IfAvailable', true],
    ['Always', true],
    ['Never', false],
  ])('of interactiveMode %s has the terminal where there is one: %s', async (interactiveMode, interactive) => {
    const terminal = Object.getOwnPropertyDescriptor(process.stdin, 'isTTY');
    Object.defineProperty(process.stdin, 'isTTY', { value: true, configurable: true });
    let shown = '';
    const screen = jest.spyOn(process.stderr, 'write').mockImplementation((part) => {
      shown += String(part);
      return true;
    });
    try {
      const printing = 'printf %s "$KUBERNETES_EXEC_INFO" > seen; echo \'{"status":{"token":"a"}}\'';
      await configOf(plugin(`echo enter the code 123 >&2; ${printing}`, { interactiveMode }));
      const { spec } = JSON.parse(read('seen'));
      expect(spec).toEqual({ interactive });
      expect(shown).toBe(interactive ? 'enter the code 123\n' : '');
    } finally {
      screen.mockRestore();
      if (terminal) Object.defineProperty(process.stdin, 'isTTY', terminal);
      else Reflect.deleteProperty(process.stdin, 'isTTY');
    }
  });

  it.each([
    ['names a file alone', {}],
    ['also has an empty certificate, as some tools write it', { 'certificate-authority-data': '' }],
    [
      'holds the certificate itself',
      {
        'certificate-authority': undefined,
        'certificate-authority-data': Buffer.from('CA').toString('base64'),
      },
    ],
  ])('is told of the cluster where it asks for that, which %s', async (_, more) => {
    write('ca.pem', 'CA');
    const cluster = {
      'certificate-authority': 'ca.pem',
      'tls-server-name': 'two',
      'proxy-url': 'http://proxy:3128',
      'disable-compression': true,
      ...more,
      extensions: [
        { name: 'other', extension: 1 },
        { name: 'client.authentication.k8s.io/exec', extension: { shoot: 'a' } },
      ],
    };
    const printing = 'printf %s "$KUBERNETES_EXEC_INFO" > seen; echo \'{"status":{"token":"a"}}\'';
    await configOf(plugin(printing, { provideClusterInfo: true }), 'https://one', cluster);
    expect(JSON.parse(read('seen'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: 'https://one',
          'tls-server-name': 'two',
          'insecure-skip-tls-verify': true,
          'certificate-authority-data': Buffer.from('CA').toString('base64'),
          'proxy-url': 'http://proxy:3128',
          'disable-compression': true,
          config: { shoot: 'a' },
        },
      },
    });
  });
});
