import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../cluster/package-root.js';
import type { Played } from './play-case.js';

/** A case, and how each informer took it, in the order of the contenders. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly played: Played[];
}

export interface Comparison {
  readonly rows: readonly Row[];
  readonly contenders: readonly string[];
  /** How long each had. */
  readonly seconds: number;
  readonly kubernetes: string;
  readonly node: string;
}

/** The page that shows how informers take the faults of the suite. */
export function comparison({ rows, contenders, seconds, kubernetes, node }: Comparison): string {
  const cells = rows.map(({ id, title, played }) => [id, title, ...played.map((each) => cell(each, seconds))]);
  const sum = ['', '**clean**', ...contenders.map((_, column) => `**${clean(rows, column)} of ${rows.length}**`)];
  const table = [
    ['case', 'what happens', ...contenders],
    ['---', '---', ...contenders.map(() => '---:')],
    ...cells,
    sum,
  ];
  const library = join(packageRoot, 'node_modules/@kubernetes/client-node/package.json');
  const { version } = JSON.parse(readFileSync(library, 'utf8')) as { readonly version: string };
  return `# How informers take what happens to a watch

An informer is the eye of a controller: what it misses, the controller never mends. Each case below is played on a real
API server (${kubernetes}) through a proxy that does the harm, to kilter's informer and to that of
@kubernetes/client-node ${version}, as it is and as its own example starts it again after an error. Node is ${node}.

The number is how long it took, after all had happened, until the informer showed what was there
and had told of it; it had ${seconds} s.
**Wrong** is what no informer may do, whenever it recovers: go back to the past, bring back what was deleted, tell of
something that is no object. The identifiers are those of the suite, \`test/compared-informers\`, which holds kilter's own informer
to all of them with every run of the tests; \`npm run informers\` writes this page.

${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}

Where a watch falls silent nobody can know before the next sign of life is overdue. On a connection whose packets vanish
keep-alive probes tell within 16 seconds (\`test/compared-informers/half-open.test.ts\` takes the network away to see it); through
a proxy that keeps the connection and swallows what comes, it is the bookmark of each minute that is missed.
`;
}

function cell({ recoveredAfterMilliseconds, wrongs }: Played, seconds: number): string {
  // That it never recovered is told by the time.
  const wrong = wrongs.filter((text) => !/^(it shows|Expected values|The expression)/.test(text));
  const time =
    recoveredAfterMilliseconds === undefined
      ? `**not in ${seconds} s**`
      : `${(recoveredAfterMilliseconds / 1000).toFixed(1)} s`;
  return wrong.length === 0 ? time : `${time}, **wrong**: ${[...new Set(wrong)].map(plain).join('; ')}`;
}

const plain = (text: string): string => text.split('\n')[0]!.replaceAll('|', '\\|').slice(0, 120);

function clean(rows: readonly Row[], column: number): number {
  return rows.filter(({ played }) => {
    const { recoveredAfterMilliseconds, wrongs } = played[column]!;
    return recoveredAfterMilliseconds !== undefined && wrongs.length === 0;
  }).length;
}
