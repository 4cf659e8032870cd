import { Secrets } from '../../drift/secrets.js';
import type { Environment } from '../../kube/environment.js';
import { causeText, seemly } from '../../kube/errors.js';

/** By its name: an address has to be told, or nobody could tell which is wrong. */
const isSecretName = /token|passw|passphrase|(?:^|_)(?:pass|pwd)(?:_|$)|api_?key|secret|credential|(?:^|_)key(?:_|$)/i;

/** What is told of `thrown`, without passwords in addresses and without settings that are secrets by their names. */
export function wordsOf(thrown: unknown, settings: Environment): string {
  const secrets = Object.entries(settings).flatMap(([name, value]) =>
    isSecretName.test(name) && value ? [value] : [],
  );
  return Secrets.of(secrets).hiddenIn(saidBy(thrown).replaceAll(/[^\s"<>]+/g, withoutPassword));
}

/** `fetch` says in its cause what happened. */
function saidBy(thrown: unknown): string {
  const { message, cause } = (seemly(thrown) ?? {}) as { readonly message?: unknown; readonly cause?: unknown };
  return causeText(message === 'fetch failed' && cause !== undefined ? cause : thrown);
}

/** `fetch` quotes an address that it does not take, and what stands before the host is a password. */
function withoutPassword(word: string): string {
  const [from, to] = [word.indexOf('//'), word.lastIndexOf('@')];
  return from < 0 || to < from ? word : `${word.slice(0, from)}//(hidden)${word.slice(to)}`;
}
