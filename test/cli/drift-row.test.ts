import { expect, it } from '@jest/globals';
import { type DriftRow, driftTable } from '../../src/cli/drift/drift-row.js';

it('of a child as a whole the table of drift says whether it is there', () => {
  const row: DriftRow = {
    customResource: 'Cache/default/a',
    child: 'Service/default/a-service',
    field: '',
    mode: 'enforce',
  };
  const lines = driftTable([
    { ...row, desired: 'there' },
    { ...row, observed: 'there' },
    { ...row, field: 'spec.type', desired: 'there' },
  ]).split('\n');
  expect(lines[1]).toMatch(/\(all of it\) +there +missing +enforce$/);
  expect(lines[2]).toMatch(/\(all of it\) +none +there +enforce$/);
  expect(lines[3]).toMatch(/spec\.type +"there" +nothing +enforce$/);
});

it('what is written in a cluster has no say in the terminal of whoever looks for drift', () => {
  const row: DriftRow = {
    customResource: 'Cache/default/a',
    child: 'Job/default/a',
    field: 'spec.data["\u001b[2J\nforged"]',
    desired: '\u009b31m\u202e',
    mode: 'enforce',
  };
  const lines = driftTable([row]).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('spec.data["\\u001b[2J\\nforged"]');
  expect(lines[1]).toContain('"\\u009b31m\\u202e"');
});

it('the table of drift has as many rows as there are', () => {
  const many = 130_000;
  const row = { customResource: 'Cache/default/a', field: 'spec.replicas', desired: 3, mode: 'enforce' } as const;
  const rows = Array.from({ length: many }, (_, index): DriftRow => ({ ...row, child: `Deployment/${index}` }));
  const lines = driftTable(rows).split('\n');
  // With its heads, and the end of the last line.
  expect(lines).toHaveLength(many + 2);
  expect(lines.at(-2)).toMatch(new RegExp(` Deployment/${many - 1} `));
});
