import { seededRandom } from '../../src/testing/seeded-random.js';

/**
 * `count` different strings that YAML writers and parsers are known to stumble over: each on its own, and then pieced together
 * by a fixed random sequence, so that a failure can be repeated.
 */
export function hostileStrings(count: number, seed = 1): readonly string[] {
  const random = seededRandom(seed);
  const strings = new Set<string>(singles);
  while (strings.size < count) {
    const pieces = 1 + Math.floor(random() * 6);
    let text = '';
    for (let piece = 0; piece < pieces; piece++) {
      text += random() < 0.5 ? pick(singles, random) : character(random);
    }
    strings.add(text);
  }
  return [...strings].slice(0, count);
}

/** `strings` as keys and values of lists and maps in each other, many levels deep, empty ones among them. */
export function tangle(strings: readonly string[], seed = 2): unknown {
  const random = seededRandom(seed);
  const node = (depth: number): unknown => {
    const draw = random();
    if (depth === 0 || draw < 0.3)
      return pick<unknown>([...strings.slice(0, 200), pick(strings, random), 0, -1.5, true, null], random);
    const size = Math.floor(random() * 4);
    if (draw < 0.65) return Array.from({ length: size }, () => node(depth - 1));
    return Object.fromEntries(Array.from({ length: size }, () => [pick(strings, random), node(depth - 1)]));
  };
  return Array.from({ length: 500 }, () => node(8));
}

// biome-ignore format: a table of words reads best in lines.
const singles: readonly string[] = [
  '0o7', '0o_7', '07', '0_7', '08', '0b1', '0x1f', '+1', '-1', '1.', '.5', '._5', '1_000', '1e3', '1e+3', '1E5', '+.inf', '.inf', '-.INF', '.nan', '.e6', '.E+6', '.e', '.a', '--a', '--1', '.1e', '.NaN', 'NaN', 'Infinity',
  '1:30', '190:20:30', '1:30.5', '=', '<<', '~', '', ' ', 'y', 'Y', 'n', 'N', 'yes', 'No', 'on', 'ON', 'off', 'true', 'True', 'FALSE', 'null', 'Null', 'NULL',
  '2001-12-14', '2001-12-14t21:59:43.10-05:00', '2001-1-1', '---', '...', '--- a', '-', '- ', '- a', '?', '? a', ':', ': ', 'a: b', 'a:', ':a', 'a #', '#', '# a', ',', '[', ']', '{', '}', '[]', '{}',
  '{{ .Values.x }}', '$(x)', '&a', '*a', '!a', '!!js/function', '|', '>', '|-', '%', '%YAML 1.2', '@', '`', '"', "'", '\\', '\\n', "''", '""', '\t', '\n', '\r', '\r\n', '\n\n', ' \n', '\n ', '\t\n',
  'a\nb', 'a\nb\n', 'a\n\nb', 'a\n  b\n', '  a\nb', 'a\n---\nb', 'a\n...\nb\n', 'a\n# b', 'a\n\tb\n', 'a\tb', '\ta\nb',
  '\u0000', '\u0007', '\u0008', '\u001b', '\u007f', '\u0080', '\u0085', '\u00a0', '\u00ad', '\u200b', '\u200d', '\u2028', '\u2029', '\u202e', '\u3000', '\ufeff', '\ufffd', '\ufffe', '\uffff', '\ue000',
  '😀', '👩‍💻', '\u{10ffff}', '\u{e0001}', 'é', 'e\u0301', 'ß', '日本', 'ﬀ', '__proto__', 'constructor', '500m', '64Mi', '1E', '1Ei', '10m', '0m', '1k', 'x'.repeat(1100), 'word '.repeat(60), 'a'.repeat(200),
];

function character(random: () => number): string {
  const range = pick(ranges, random);
  return String.fromCodePoint(range[0] + Math.floor(random() * (range[1] - range[0] + 1)));
}

const ranges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x20, 0x7e],
  [0x00, 0xff],
  [0x100, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x10ffff],
];

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)]!;
}
