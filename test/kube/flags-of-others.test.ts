import { describe, expect, it } from '@jest/globals';
import { refusalOfArgs } from '../../src/install/flags.js';
import { flagsOfOthers, insteadOf } from '../../src/kube/flags-of-others.js';
import { flagsOf, readFlags } from '../../src/program/flags.js';

describe('the refusals of flags', () => {
  it.each([
    ['--v=4', '--log-level says it: debug, info, warn or error'],
    ['-v=4', '--log-level says it'],
    ['-v', '--log-level says it'],
    ['--zap-log-level=debug', '--log-level says it'],
    ['--zap-devel', '--log-format says it: json, or text for people'],
    ['--leader-elect-resource-namespace=a', 'here it is --leader-election-namespace'],
    ['--enable-leader-election', 'here it is --leader-elect'],
    ['--metrics-addr=:8080', 'here it is --metrics-bind-address'],
    ['-leader-elect', 'here it is --leader-elect'],
    ['-leader-elect=true', 'here it is --leader-elect'],
    ['--constructor', undefined],
    ['-x', undefined],
  ])('name what does the same, where %s is a flag of other frameworks', (word, instead) => {
    const text = `error: unknown option '${word}'\n${instead === undefined ? '' : `(${instead}`}`;
    expect(readFlags([word], ['memcached'])).toMatchObject({
      type: 'exit',
      code: 2,
      text: expect.stringContaining(text),
    });
    const refusal = refusalOfArgs([word]);
    expect(refusal).toContain(`"${word}" is no flag of the controller${instead === undefined ? '' : ` (${instead}`}`);
  });

  it('of other frameworks are none of ours, and what is named in their place is one', () => {
    const ours = flagsOf(['memcached']).map(({ long }) => long!);
    for (const name of flagsOfOthers) {
      const instead = insteadOf(`--${name}`, ours) ?? '';
      expect(ours).not.toContain(`--${name}`);
      for (const flag of instead.match(/--[a-z-]+/g) ?? []) expect(ours).toContain(flag);
    }
  });
});
