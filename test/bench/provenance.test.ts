import { describe, expect, it } from '@jest/globals';
import { provenance } from './provenance.js';
import type { Leg } from './race.js';
import type { Results } from './results.js';

const leg = (contender: string, load: number, isServerQuiet = true): Leg => ({
  contender,
  before: { load, isServerQuiet },
});
const told = (rounds: Results['rounds'], growth: Results['growth'] = []) =>
  provenance({ rounds, growth, writeCosts: [], servers: [], render: '' } as unknown as Results).join('\n');

describe('how busy the machine was', () => {
  it('is told by the greatest load before anybody began', () => {
    const rounds = [[leg('kilter', 0.4), leg('kopf', 1.257)], [leg('kilter', 0.9)]];
    expect(told(rounds)).toContain('before a contender began was 1.26, before kopf;');
    expect(told(rounds)).not.toMatch(/not recorded|come to rest/);
    expect(told(rounds, [{ contender: 'kilter', loadBefore: 3, points: [] }])).toContain('was 3.00, before kilter;');
  });

  it('is said not to be recorded where it was not', () => {
    expect(told([[{ contender: 'kilter' }, leg('kopf', 1)]])).toContain(
      'How busy the machine was before 1 of the 2 turns of contenders was not recorded.',
    );
    expect(told([[{ contender: 'kilter' }]])).not.toContain('load average');
  });

  it('is told of an API server that did not come to rest', () => {
    expect(told([[leg('kilter', 1, false), leg('kopf', 1)]])).toContain('when it was the turn of kilter.');
  });
});
