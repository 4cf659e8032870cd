import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { nameOf, sources } from '../source-tree.js';

/** Every call of a log in the sources, with its first argument as it is written. */
const messages = sources
  .filter((file) => /^(runtime|webhooks|program)\//.test(nameOf(file)))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:log|#log)\.(debug|info|warn|error)\(\s*([^\n]*)/g)].map(
      ([, level, rest = '']) => ({ file: nameOf(file), level, argument: /^'(?:[^'\\]|\\.)*'/.exec(rest)?.[0], rest }),
    ),
  );

describe('messages of the log', () => {
  it('are there', () => {
    expect(messages.length).toBeGreaterThan(40);
  });

  it('are constant: what varies stands beside them as data', () => {
    expect(messages.filter(({ argument }) => argument === undefined)).toEqual([]);
  });

  it.each([...new Set(messages.flatMap(({ argument = "''" }) => argument.slice(1, -1)))])(
    'begin with a capital and end without a stop: %s',
    (message) => {
      expect(message).toMatch(/^[A-Z][^.!?:]*[a-z]$/);
    },
  );

  it('say of errors what failed, or what was lost', () => {
    const errors = messages.filter(({ level }) => level === 'error').map(({ argument = '' }) => argument.slice(1, -1));
    expect(errors.filter((message) => !/^(Failed (to|after)|Lost) /.test(message))).toEqual([]);
  });
});
