import { isDns1123Label, isDns1123Subdomain } from '../kube/dns-names.js';
import { parseDuration } from './duration.js';
import { parseRequestUri } from './go-url.js';
import { isCidr, isIpv4, isIpv6, parseIp } from './ip.js';
import type { StructuralSchema } from './structural.js';

/**
 * The formats of strings that the API server enforces; any other is a comment to it.
 *
 * The tests are its own, odd as some are: `datetime` takes second 59 but not 60, `ipv4` takes leading zeros.
 */
const stringFormats = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  'date-time': isDateTime,
  duration: (text: string) => parseDuration(text) !== undefined,
  email: isEmail,
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  isbn: (text: string) => isIsbn(text, 10) || isIsbn(text, 13),
  isbn10: (text: string) => isIsbn(text, 10),
  isbn13: (text: string) => isIsbn(text, 13),
  'k8s-long-name': isDns1123Subdomain,
  'k8s-short-name': isDns1123Label,
  mac: matching(
    /^([0-9a-f]{2}([:-])[0-9a-f]{2}(\2[0-9a-f]{2}){4}((\2[0-9a-f]{2}){2})?((\2[0-9a-f]{2}){12})?|[0-9a-f]{4}(\.[0-9a-f]{4}){2}(\.[0-9a-f]{4})?((\.[0-9a-f]{4}){7})?|[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40})$/i,
  ),
  password: () => true,
  rgbcolor: matching(
    /^rgb\([\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*\)$/,
  ),
  ssn: (text: string) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: isRequestUri,
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
} as const satisfies Record<string, (text: string) => boolean>;

/** A format that the API server enforces on strings. */
export type StringFormat = keyof typeof stringFormats;

/** True when the server looks at the `format` of this schema at all. */
export function isKnownFormat({ type, format }: StructuralSchema): boolean {
  if (format === undefined) return false;
  if (type === 'integer') return format === 'int32' || format === 'int64';
  if (type === 'number') return format === 'float' || format === 'double';
  return type === 'string' && Object.hasOwn(stringFormats, format);
}

/** True when `text` has the format. */
export function isOfFormat(format: string, text: string): boolean {
  return stringFormats[format as StringFormat](text);
}

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month >= 1;
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time);
  return match !== null && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59';
}

function isEmail(text: string): boolean {
  const written = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const address = /^(?:[^<>@,;:\\"[\]]*|"(?:[^"\\]|\\.)*"\s*)<([^<>]+)>$/.exec(written)?.[1] ?? written;
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]+";
  const mailbox = `^(?:${atom}(?:\\.${atom})*|"(?:[^"\\\\]|\\\\.)+")@(?:${atom}(?:\\.${atom})*|\\[([^\\]]+)\\])$`;
  const found = new RegExp(mailbox).exec(address);
  return found !== null && (found[1] === undefined || parseIp(found[1]) !== undefined);
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  return hostname.test(text) && bytes(text) <= 255 && text.split('.').every((label) => bytes(label) <= 63);
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function isRequestUri(text: string): boolean {
  try {
    parseRequestUri(text);
    return true;
  } catch {
    return false;
  }
}

function isIsbn(text: string, version: 10 | 13): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!(version === 10 ? /^(?:[0-9]{9}X|[0-9]{10})$/ : /^[0-9]{13}$/).test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    const weight = version === 10 ? index + 1 : index % 2 === 0 ? 1 : 3;
    return total + weight * (digit === 'X' ? 10 : Number(digit));
  }, 0);
  return sum % (version === 10 ? 11 : 10) === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  const issuer =
    /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return issuer.test(digits) && sum % 10 === 0;
}
