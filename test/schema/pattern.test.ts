import { describe, expect, it } from '@jest/globals';
import { go } from '../../src/schema/pattern.js';

describe('a compiled pattern', () => {
  it('is kept for who asks for it again', () => {
    expect(go('^[a-z]+$')).toBe(go('^[a-z]+$'));
  });

  it('is not kept for ever: a rule may take patterns from objects, of which there is no end', () => {
    const first = go('^first$');
    for (let n = 0; n < 2000; n++) go(`^other-${n}$`);
    expect(go('^first$')).not.toBe(first);
    expect(go('^first$').matches('first')).toBe(true);
  });
});
