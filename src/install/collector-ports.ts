import { DefinitionError } from '../kube/errors.js';
import { tracesWanted } from '../kube/traces-wanted.js';
import { portOfUrl } from '../kube/url-port.js';
import type { OperatorInstallProps } from './install-props.js';

/**
 * The port of the collector of traces that `env` names, but for what is in a Secret. Throws `DefinitionError` where the
 * controller would export none, though it is asked to.
 */
export function collectorPorts(id: string, env: NonNullable<OperatorInstallProps['env']>): readonly number[] {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const wanted = tracesWanted(Object.fromEntries(texts));
  if (wanted.type === 'impossible') {
    const { setting, because, hint } = wanted;
    throw new DefinitionError(`the install "${id}" would export no traces by env.${setting}: ${because}`, { hint });
  }
  if (wanted.type === 'none' || wanted.endpoint === undefined) return [];
  return [portOfUrl(new URL(wanted.endpoint))];
}
