import { escapedIn, wholeCharactersIn } from '../kube/json-escapes.js';

/** Characters that may stand in JSON as they are, and that YAML 1.1 refuses or takes for the end of a line. */
const odd = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * `value` as JSON that YAML readers take for the same.
 *
 * The body of an apply is YAML to the API server, whatever it looks like: text with U+0085 or U+2028 would be stored with
 * a line feed in its place, and text with U+007F be refused, or with half of a surrogate pair, which is U+FFFD in what is
 * created. https://yaml.org/spec/1.1/#id868524
 */
export function yamlText(value: unknown): string {
  const json = escapedIn(wholeCharactersIn(JSON.stringify(value)), odd);
  return json.length > 1000 && longText.test(json)
    ? json.replace(texts, (text, colon) => (colon && isLong(text) ? `? ${text}` : text))
    : json;
}

/** A key of more than 1,024 characters is one to YAML only where that is said; each half of an escape is a character there. */
const longText = /"(?:[^"\\]|\\.){500}/;
const texts = /"(?:[^"\\]|\\.)*"(:?)/g;
const isLong = (text: string): boolean => text.length > 1000;
