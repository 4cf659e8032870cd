import { describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { operator, optional } from '../../src/index.js';
import { Cache } from './a-cache.js';

const thing = { observe: async () => undefined, ensure: async () => {}, remove: async () => {} };

describe('an operator cannot be defined', () => {
  it.each<[string, object, string]>([
    ['by a name that no label takes', { name: 'Cache_1' }, 'its name goes into labels and names'],
    ['without a worker', { maxConcurrentReconciles: 0 }, 'maxConcurrentReconciles is 0'],
    ['with more workers than a process has room for', { maxConcurrentReconciles: 2e8 }, 'is 200000000'],
    ['to begin anew at once', { requeueAfterSeconds: 0 }, 'requeueAfterSeconds is 0'],
    ['with an external that is never asked', { external: { thing } }, 'pollSeconds of thing is undefined'],
    [
      'with an external that is asked without a pause',
      { external: { thing: { ...thing, pollSeconds: 0 } } },
      'pollSeconds of thing is 0',
    ],
    ['with one kind twice', { owns: [ConfigMap, ConfigMap] }, 'it owns ConfigMap as v1 and as v1'],
    [
      'with a drift rule about what it does not own',
      { drift: { rules: [{ kind: Deployment, mode: 'ignore' }] } },
      'a drift rule is about Deployment (apps/v1), which it does not own',
    ],
    [
      'with what it does not know',
      { requeAfterSeconds: 5 },
      'operator of Cache cannot be defined: "requeAfterSeconds"',
    ],
    ['without compose', { compose: undefined }, 'compose is no function'],
    ['with what is no kind', { owns: ['ConfigMap'] }, 'owns is no list of kinds'],
    ['with a read that selects nothing', { reads: { page: ConfigMap } }, 'reads has "page"'],
    [
      'with a read of what owns alone may call optional',
      { reads: { page: { type: 'one', resource: optional(ConfigMap), select: () => undefined } } },
      'reads has "page", a ConfigMap that is optional()',
    ],
    [
      'with an external that nobody can remove',
      { external: { thing: { ...thing, pollSeconds: 9, remove: undefined } } },
      'external has "thing", whose remove is no function',
    ],
    ['with an external that is none', { external: { thing: undefined } }, 'external has "thing", whose observe'],
    ['with a reach that there is not, which would reach everywhere', { reach: 'Consent' }, 'reach is "Consent"'],
    ['with another word for what is adopted, which would be everything', { adopt: 'orphan' }, 'adopt is "orphan"'],
    ['with a mode that there is not', { drift: { mode: 'enforced' } }, 'a mode of drift is "enforced"'],
    ['with a misspelt mode', { drift: { mod: 'report' } }, '"drift.mod" means nothing'],
    [
      'with a misspelt rule',
      { drift: { rules: [{ field: 'data', sttrict: true }] } },
      '"drift.rules[0].sttrict" means',
    ],
    ['with rules that are none', { drift: { rules: { field: 'data' } } }, 'drift.rules is no list'],
    [
      'with a misspelt kind of a secret',
      { drift: { sensitive: [{ knd: 1, field: 'a' }] } },
      '"drift.sensitive[0].knd" means',
    ],
    ['with a rule of such a mode', { drift: { rules: [{ field: 'data', mode: 'x' }] } }, 'a mode of drift is "x"'],
    ['with a drift rule that says nothing', { drift: { rules: [{ field: 'data' }] } }, 'says nothing'],
  ])('%s', (_, input, words) => {
    const define = () => operator(Cache, { owns: [ConfigMap], compose: () => {}, ...input } as never);
    expect(define).toThrow(words);
  });

  it('of what is no kind, or without a description', () => {
    for (const strange of [{}, ConfigMap]) {
      expect(() => operator(strange as never, { owns: [], compose: () => {} })).toThrow(
        'its first argument is no kind',
      );
    }
    expect(() => operator(Cache, undefined as never)).toThrow('owns is no list of kinds');
  });
});
