import { isHttpUrl, portOfUrl } from '../kube/url-port.js';
import type { OperatorInstallProps } from './install-props.js';

/**
 * The ports of the settings of operators that are URLs of HTTP, but for what is in a Secret. Without them the service of one that
 * listens elsewhere than an API server would answer nobody, and nothing would say why.
 */
export function settingPorts({ operators, env = {} }: OperatorInstallProps): readonly number[] {
  const settings = operators.flatMap(({ settings = {} }) => Object.keys(settings));
  return settings.flatMap((name) => {
    const value = env[name];
    return typeof value === 'string' && isHttpUrl(value) ? [portOfUrl(new URL(value))] : [];
  });
}
