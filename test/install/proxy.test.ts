import { describe, expect, it } from '@jest/globals';
import { usableProxy } from '../../src/client/proxy.js';
import { usualApiServerPorts } from '../../src/install/network-policy.js';
import { DefinitionError } from '../../src/kube/errors.js';
import { portsOut } from './ports-out.js';

describe('an install whose environment names a proxy', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly number[]]>([
    ['one for TLS', { HTTPS_PROXY: 'http://proxy:3128' }, [3128]],
    ['one in small letters', { https_proxy: 'http://proxy:3128' }, [3128]],
    ['one in both, of which capitals count', { HTTPS_PROXY: 'http://a:3128', https_proxy: 'http://b:3129' }, [3128]],
    ['an empty one in capitals', { HTTPS_PROXY: '', https_proxy: 'http://proxy:3128' }, [3128]],
    ['one without TLS', { HTTP_PROXY: 'http://proxy:3128' }, [3128]],
    ['two', { HTTPS_PROXY: 'http://proxy:3128', http_proxy: 'http://proxy:3129' }, [3128, 3129]],
    ['one twice', { HTTPS_PROXY: 'http://proxy:3128', HTTP_PROXY: 'http://proxy:3128' }, [3128]],
    ['one without a scheme', { HTTPS_PROXY: 'proxy.example.com:3128' }, [3128]],
    ['one with a password', { HTTPS_PROXY: 'http://me:hunter2@proxy:3128' }, [3128]],
    ['one whose host the kubelet knows', { HTTPS_PROXY: 'http://$(PROXY_HOST):3128' }, [3128]],
    ['one by an address', { HTTPS_PROXY: 'http://[fd00::1]:3128' }, [3128]],
    ['one that speaks HTTP on the usual port', { HTTPS_PROXY: 'http://proxy' }, [80]],
    ['one that speaks HTTPS on the usual port', { HTTPS_PROXY: 'https://proxy' }, []],
    ['one that speaks SOCKS on the usual port', { HTTPS_PROXY: 'socks5://proxy' }, [1080]],
    ['one that looks up names on the usual port', { HTTPS_PROXY: 'socks5h://proxy' }, [1080]],
    ['none', { NO_PROXY: 'http://proxy:3128', ALL_PROXY: 'http://proxy:3128' }, []],
  ])('lets its port through: %s', (_, env, expected) => {
    expect(portsOut({ env })).toEqual([...usualApiServerPorts, ...expected]);
    for (const proxy of Object.values(env).filter((each) => each !== '')) {
      expect(() => usableProxy(proxy, 'env')).not.toThrow();
    }
  });

  it('lets it through beside ports that its author names, each once', () => {
    const env = { HTTPS_PROXY: 'http://proxy:3128' };
    expect(portsOut({ env, apiServerPorts: [6443], servicePorts: [8080, 3128] })).toEqual([6443, 8080, 3128]);
  });

  it.each<[string, string]>([
    ['http://me:hunter2@pro xy', 'it is no URL'],
    ['http://me:hunter2@proxy:port', 'it is no URL'],
    ['http://me:hunter2@proxy:99999', 'it is no URL'],
    ['socks4://me:hunter2@proxy:1080', '"socks4:" is not spoken'],
    ['http://me:hunter2@proxy:0', 'it says no port'],
    ['$(PROXY)', 'it says no port'],
  ])('refuses %s', (proxy, problem) => {
    const install = () => portsOut({ env: { https_proxy: proxy } });
    expect(install).toThrow(DefinitionError);
    expect(install).toThrow(`the install "cache" names a proxy by env.https_proxy that cannot be used: ${problem}`);
    expect(install).not.toThrow('hunter2');
  });
});
