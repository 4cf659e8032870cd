import type { ParseOptions, ScalarTag, SchemaOptions } from 'yaml';

/**
 * The rules of YAML 1.1 as the server and kubectl read it: `yes` is true and `0644` an octal number, as is `0o644` of
 * YAML 1.2. Times stay text, those such as `1:30` as well, and so does a number that is too large for one.
 *
 * https://github.com/yaml/go-yaml/blob/v2.4.3/resolve.go
 */
export const yamlRules: ParseOptions & SchemaOptions & { readonly version: '1.1' } = {
  version: '1.1',
  resolveKnownTags: false,
  customTags: (tags) => [
    plain,
    ...['int', 'float', 'bool', 'null'].map(said),
    { tag: `${prefix}binary`, resolve: decoded },
    ...tags.filter((tag) => typeof tag !== 'string' && (tag.collection || /:(str|merge)$/.test(tag.tag))),
  ],
};

const prefix = 'tag:yaml.org,2002:';

type Plain = string | number | boolean | null;

/** What is written without quotes and without a tag. */
const plain: ScalarTag = {
  tag: `${prefix}plain`,
  default: true,
  test: /^(?:$|[-+.0-9~yYnNtTfFoO])/,
  resolve: (text) => meantBy(text),
};

/** What has a tag, in quotes or without. */
function said(name: string): ScalarTag {
  return {
    tag: `${prefix}${name}`,
    resolve(text) {
      const value = meantBy(text);
      const is = nameOf(value);
      if (is !== name && !(is === 'int' && name === 'float')) {
        throw new Error(`cannot decode !!${is} \`${text}\` as a !!${name}`);
      }
      return value;
    },
  };
}

function nameOf(value: Plain): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'boolean' ? 'bool' : 'str';
}

function decoded(text: string): string {
  const letters = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(letters)) {
    throw new Error('!!binary value contains invalid base64 data');
  }
  return Buffer.from(letters, 'base64').toString();
}

const words = new Map<string, Plain>([
  ...variants(['y', 'yes', 'true', 'on'], true),
  ...variants(['n', 'no', 'false', 'off'], false),
  ...variants(['null'], null),
  ...variants(['.inf', '+.inf'], Number.POSITIVE_INFINITY),
  ...variants(['-.inf'], Number.NEGATIVE_INFINITY),
  ...(['.nan', '.NaN', '.NAN'].map((text) => [text, Number.NaN]) satisfies [string, Plain][]),
  ['', null],
  ['~', null],
]);

/** `yes`, `Yes` and `YES`. */
function variants(texts: readonly string[], value: Plain): [string, Plain][] {
  return texts.flatMap((text) =>
    [text, text.replace(/[a-z]/, (letter) => letter.toUpperCase()), text.toUpperCase()].map((each): [string, Plain] => [
      each,
      value,
    ]),
  );
}

const radixes: Readonly<Record<string, number>> = { '0b': 2, '0o': 8, '0x': 16 };

function meantBy(text: string): Plain {
  const word = words.get(text);
  if (word !== undefined) return word;
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  const whole = /^([-+]?)(0[box])([0-9a-f]+)$/i.exec(digits) ?? /^([-+]?)(0)([0-7]+)$/.exec(digits);
  if (whole) {
    const [, sign, radix = '', rest = ''] = whole;
    const value = wholeOf(rest.toLowerCase(), radixes[radix.toLowerCase()] ?? 8);
    return value === undefined ? text : value * (sign === '-' ? -1 : 1);
  }
  if (!/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(digits)) return text;
  const value = Number(digits);
  return Number.isFinite(value) ? value : text;
}

/** Undefined for what has a digit too many or is beyond 64 bits. */
function wholeOf(digits: string, radix: number): number | undefined {
  const value = Number.parseInt(digits, radix);
  const isWhole = [...digits].every((digit) => Number.parseInt(digit, radix) >= 0);
  return isWhole && value < 2 ** 64 ? value : undefined;
}
