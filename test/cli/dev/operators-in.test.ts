import { describe, expect, it } from '@jest/globals';
import { operatorsIn } from '../../../src/cli/dev/operators-in.js';
import { operator } from '../../../src/index.js';
import { Memcached, memcached } from '../../../src/operators/memcached.js';

const other = operator(Memcached, { name: 'other', owns: [], compose: () => ({}) });
const namesake = operator(Memcached, { owns: [], compose: () => ({}) });

describe('what a module exports', () => {
  it.each([
    ['an operator', { memcached }, ['memcached']],
    ['several', { memcached, other }, ['memcached', 'other']],
    ['a list of them', { operators: [memcached, other] }, ['memcached', 'other']],
    ['one by itself and in a list', { memcached, operators: [memcached] }, ['memcached']],
    ['one as the default', { default: memcached }, ['memcached']],
    ['one of a module that is CommonJS', { default: { memcached, size: 3 } }, ['memcached']],
    ['a list of such a module', { default: { operators: [memcached, other] } }, ['memcached', 'other']],
    ['other things beside one', { memcached, Memcached, size: 3, nothing: null, text: 'x', list: [1] }, ['memcached']],
  ])('has its operators found: %s', (_, exports, names) => {
    expect(operatorsIn(exports, 'all.ts').map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [{}, 'it exports nothing'],
    [{ Memcached, size: 3 }, 'it exports Memcached, size'],
  ])('is refused without any: %j', (exports, hint) => {
    expect(() => operatorsIn(exports, 'src/all.ts')).toThrow(
      expect.objectContaining({ message: 'src/all.ts exports no operator', hint: expect.stringContaining(hint) }),
    );
  });

  it('is refused with two of one name, which would be one writer to the cluster', () => {
    expect(() => operatorsIn({ memcached, namesake }, 'all.ts')).toThrow('exports two operators named "memcached"');
  });
});
