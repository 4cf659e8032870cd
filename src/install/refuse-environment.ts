import { isDns1123Subdomain } from '../kube/dns-names.js';
import { DefinitionError } from '../kube/errors.js';
import { refusalOfArgs, variables } from './flags.js';
import { homeOf, type OperatorInstallProps, type SecretKey } from './install-props.js';
import { defaultRoom, ownVariables } from './workload.js';

/** Throws `DefinitionError` for an environment that no API server accepts, or in which the controller could not work. */
export function refuseEnvironment(id: string, props: OperatorInstallProps): void {
  const { operators, env = {} } = props;
  const own = ownVariables(id, props.room ?? defaultRoom).map(({ name }) => name);
  for (const { name, settings = {} } of operators) {
    const missing = Object.keys(settings).find((setting) => !env[setting] && !own.includes(setting));
    if (missing === undefined) continue;
    throw new DefinitionError(`the install "${id}" lacks the setting ${missing}, which ${name} needs`, {
      hint: `say it in env: { ${missing}: '…' }, or where a Secret has it: { ${missing}: { secret: '…', key: '…' } }`,
    });
  }
  for (const [name, value] of Object.entries(env)) {
    if (!/^[ -<>-~]+$/.test(name)) {
      throw new DefinitionError(
        `the install "${id}" cannot be applied: env has ${JSON.stringify(name)}, which is no name`,
        {
          hint: 'write letters, digits and underscores',
        },
      );
    }
    if (typeof value === 'string' || isSecretKey(value)) continue;
    throw new DefinitionError(`the install "${id}" cannot be applied: env.${name} is no text`, {
      hint: "write a text, or where a Secret has it: { secret: 'name', key: 'token' }",
    });
  }
  if (env['POD_NAME'] !== undefined) {
    throw new DefinitionError(`the install "${id}" calls all its replicas alike by env.POD_NAME`, {
      hint: 'leave it out: by the name of its pod each holds the Lease, and no other takes it for its own',
    });
  }
  refuseElsewhere(id, env['POD_NAMESPACE'], homeOf(id, props));
  refuseDebugger(id, env['NODE_OPTIONS'] ?? '');
  for (const [variable, flag] of Object.entries(variables)) {
    const value = env[variable];
    if (typeof value !== 'string' || refusalOfArgs([`${flag}=${value}`]) === undefined) continue;
    throw new DefinitionError(`the install "${id}" cannot run: env.${variable} cannot be "${value}"`, {
      hint: `write what ${flag} may be: see --help of the controller`,
    });
  }
}

/** The Lease, and the Secret of webhooks, are looked for where that says, and the rights to them are at home. */
function refuseElsewhere(id: string, namespace: string | SecretKey | undefined, home: string): void {
  if (namespace === undefined || namespace === home) return;
  const problem =
    typeof namespace === 'string'
      ? `cannot run: env.POD_NAMESPACE is "${namespace}", and it lives in "${home}"`
      : 'takes env.POD_NAMESPACE from a Secret';
  throw new DefinitionError(`the install "${id}" ${problem}`, {
    hint: 'leave it out: each of its pods is told by the kubelet',
  });
}

function refuseDebugger(id: string, options: string | SecretKey): void {
  if (typeof options !== 'string') {
    throw new DefinitionError(`the install "${id}" takes env.NODE_OPTIONS from a Secret`, {
      hint: 'write it as a text: it may open a debugger, and nobody would see it',
    });
  }
  // Node takes an underscore for a hyphen.
  const debugging = /(?:^|\s)"?(--(?:inspect|debug|heapsnapshot)\S*)/.exec(options)?.[1];
  if (debugging === undefined) return;
  throw new DefinitionError(`the install "${id}" has ${debugging} in env.NODE_OPTIONS`, {
    hint: 'leave it out: whoever reaches a debugger has the rights of the controller, and a snapshot holds its Secrets',
  });
}

/** As the API server takes the name of a Secret and a key of it. */
function isSecretKey(value: unknown): value is SecretKey {
  if (typeof value !== 'object' || value === null) return false;
  const { secret, key, ...more } = value as Partial<SecretKey>;
  return isText(secret) && isDns1123Subdomain(secret) && isText(key) && isKey(key) && Object.keys(more).length === 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isKey(text: string): boolean {
  return text.length <= 253 && /^[-._a-zA-Z0-9]+$/.test(text);
}
