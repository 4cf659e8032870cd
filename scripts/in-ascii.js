// `node scripts/in-ascii.js FOLDER`: escapes what is not ASCII in the programs there. One character beyond Latin-1, and V8 keeps all of
// a source in two bytes each. esbuild escapes such characters, but for those of regular expressions.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
for (const file of readdirSync(folder).filter((name) => /\.m?js$/.test(name))) {
  const text = readFileSync(join(folder, file), 'utf8');
  const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (escaped !== text) writeFileSync(join(folder, file), escaped);
}
