import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../cluster/package-root.js';
import { nameOf, roomOf, sources } from '../source-tree.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

/** Words with a capital that code of the runtime says for other ends. */
const noReasons = new Set([
  ...['True', 'False', 'Unknown', 'Ready', 'Reconciling', 'Stalled', 'Drifted', 'Fighting', 'Paused'],
  ...['Event', 'Normal', 'Warning', 'Reconcile', 'Reconciled', 'Failed', 'Lease', 'Background', 'Strict', 'Exact'],
  ...['Pod', 'Namespace', 'Apply'],
]);

/** The texts with one capital word of all files of the runtime, but of metrics and traces, which have words of their own. */
const words = sources
  .map(nameOf)
  .filter((name) => roomOf(name) === 'runtime' && !/\/(metrics|traces)\//.test(name))
  .flatMap((name) => [...read(`src/${name}`).matchAll(/'([A-Z][A-Za-z]*[a-z][A-Za-z]*)'/g)])
  .map(([, word]) => word as string)
  .filter((word) => !word.endsWith('Error') && !noReasons.has(word));

describe('the page about what is stuck', () => {
  const page = read('docs/stuck.md');
  const reasons = [...new Set(words)].sort();

  it('is held to reasons that there are', () => {
    expect(reasons).toContain('ConsentMissing');
    expect(reasons.length).toBeGreaterThan(20);
  });

  it.each(reasons)('says what to do about %s', (reason) => {
    expect(page).toContain(`\`${reason}\``);
  });

  it('leads from a fight to how a field is left to others', () => {
    const row = page.split('\n').find((line) => line.startsWith('| `FightDetected` |'));
    expect(row).toContain('(drift.md#what-is-others-to-decide)');
  });

  it('names no reason that there is not', () => {
    const [table = ''] = page.split('## Reasons of conditions')[1]!.split('\n## ');
    const named = [...table.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, reason]) => reason as string);
    expect(named.filter((reason) => !reasons.includes(reason))).toEqual([]);
  });

  it.each([
    ['src/compose/child.ts', 'but does not own'],
    ['src/compose/child.ts', 'but may only in its own'],
    ['src/compose/child.ts', 'is cluster-scoped and out of its reach'],
    ['src/client/response-error.ts', 'the credentials are not valid at this API server'],
    ['src/runtime/author/consents.ts', 'does not accept it'],
    ['src/runtime/author/consents.ts', 'is not there, or not shared with namespace'],
    ['src/runtime/writes/refused-error.ts', 'is not ours'],
    ['src/runtime/writes/immutable.ts', 'cannot be changed'],
    ['src/runtime/children/far-children.ts', 'cannot be pruned: the operator does not own'],
    ['src/drift/custom-resource-mode.ts', 'asks for the mode'],
    ['src/kube/deletion-policy.ts', 'asks for the deletion policy'],
    ['src/drift/inventory.ts', 'children outside of its namespace'],
    ['src/runtime/refuse-incompatible.ts', 'cannot be limited to namespaces: '],
    ['src/runtime/refuse-incompatible.ts', 'are both for'],
    ['src/runtime/refuse-incompatible.ts', 'two operators are named'],
  ])('knows what %s says: %s', (file, words) => {
    expect(read(file)).toContain(words);
    expect(page).toContain(words);
  });

  it.each([
    ...['force-release', 'allow-empty', 'accept-data-loss', 'deletion-policy', 'reconcile', 'mode', 'requested-at'],
  ])('tells of the annotation %s, by which a person helps', (annotation) => {
    expect(page).toContain(`<group>/${annotation}`);
  });

  it.each(['kilter reconcile <kind>/<name>', 'kilter resume', 'status.lastHandledReconcileAt'])(
    'tells of %s',
    (words) => {
      expect(page).toContain(`\`${words}\``);
    },
  );
});
