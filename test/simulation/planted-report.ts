import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPlanted, type Search } from './find-planted.js';
import { planted } from './planted.js';

export interface ReportOptions extends Search {
  /** Only mistakes with this in their name; nothing is written then. */
  readonly only: string | undefined;
  say(line: string): void;
}

interface Row {
  readonly name: string;
  readonly file: string;
  /** By which schedule. */
  readonly found: string | undefined;
  readonly violation: string;
}

/** Plants each mistake, looks for it, and writes what was found. Returns the exit code: 1 when one was not found. */
export async function writeReport({ only, say, ...search }: ReportOptions): Promise<number> {
  const { root, most } = search;
  const rows: Row[] = [];
  for (const [index, mistake] of planted.entries()) {
    if (only !== undefined && !mistake.name.includes(only)) continue;
    const first = await findPlanted(mistake, `planted-${index}`, search);
    const violation = (first?.violations[0] ?? '').replace(/^undisturbed: /, '');
    const row = {
      name: mistake.name,
      file: mistake.file,
      found: first && (mistake.kept ?? String(first.index + 1)),
      violation,
    };
    rows.push(row);
    say(
      `${mistake.name}: ${row.found === undefined ? `NOT FOUND in ${most}` : `found by schedule ${row.found}: ${violation}`}`,
    );
  }
  const page = join(root, 'docs/simulation.md');
  if (only === undefined) writeFileSync(page, withTable(readFileSync(page, 'utf8'), rows, most));
  return rows.every(({ found }) => found !== undefined) ? 0 : 1;
}

/** The page with the table in the place where it had one. */
function withTable(page: string, rows: readonly Row[], most: number): string {
  const table = rows.map(
    ({ name, file, found, violation }) =>
      `| ${name} | \`${file}\` | ${found ?? `not in ${most}`} | ${violation.replaceAll('|', '\\|')} |`,
  );
  const head = '| mistake | in | found by schedule | because |\n| --- | --- | --- | --- |\n';
  const start = page.indexOf(head) + head.length;
  const end = page.indexOf('\n\n', start);
  return `${page.slice(0, start)}${table.join('\n')}${page.slice(end)}`;
}
