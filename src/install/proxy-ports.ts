import { DefinitionError } from '../kube/errors.js';
import type { OperatorInstallProps } from './install-props.js';

/** By which the controller finds its proxy; each may be written in small letters, and then counts where there is none in capitals. */
const variables = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/** The schemes of proxies that the controller can speak to, and the ports that they mean without saying so. */
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };

/** The ports of the proxies that `env` names, but for what is in a Secret. Throws `DefinitionError` for one that cannot be read. */
export function proxyPorts(id: string, env: NonNullable<OperatorInstallProps['env']>): readonly number[] {
  return variables.flatMap((variable) => {
    const named = [variable, variable.toLowerCase()].find((name) => env[name]);
    const proxy = named && env[named];
    return named && typeof proxy === 'string' ? [portOf(id, named, proxy)] : [];
  });
}

function portOf(id: string, variable: string, proxy: string): number {
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  // A URL may hold a password, so that no error shows it.
  const refused = (problem: string) =>
    new DefinitionError(`the install "${id}" names a proxy by env.${variable} that cannot be used: ${problem}`, {
      hint: `write it as http://proxy.example.com:3128: it may begin with ${Object.keys(usualPorts)
        .map((scheme) => `${scheme}//`)
        .join(', ')}`,
    });
  if (!URL.canParse(url)) throw refused('it is no URL');
  const { protocol, hostname, port } = new URL(url);
  const usual = usualPorts[protocol];
  if (usual === undefined) throw refused(`"${protocol}" is not spoken`);
  // What `$(NAME)` stands for only a kubelet knows, and it may hold a port.
  if (port === '0' || (port === '' && hostname.includes('$('))) throw refused('it says no port');
  return port === '' ? usual : Number(port);
}
