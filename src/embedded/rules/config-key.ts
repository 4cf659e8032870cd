import { atMostCharacters, mustMatch } from '../../schema/name-formats.js';

const notAKey = mustMatch(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  '[-._a-zA-Z0-9]+',
  'key.name',
  'KEY_NAME',
  'key-name',
);

/** A key of a ConfigMap or a Secret, which becomes the name of a file where it is mounted. */
export function configKey(key: string): readonly string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(key) > 253) problems.push(atMostCharacters(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(notAKey);
  if (key === '.') problems.push("must not be '.'");
  else if (key === '..') problems.push("must not be '..'");
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}
