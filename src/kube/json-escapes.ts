/** `json` with an escape, which is the same in JSON, in place of each of `characters`. */
export function escapedIn(json: string, characters: RegExp): string {
  return json.replace(characters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** `json` with the escapes that Go writes: https://pkg.go.dev/encoding/json#HTMLEscape */
export function goEscaped(json: string): string {
  return escapedIn(json, /[<>&\u2028\u2029]/g);
}

/** `json` as `JSON.stringify` writes it, with U+FFFD for half of a surrogate pair, as Go reads it and strict readers do not. */
export function wholeCharactersIn(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (part) => (part.length > 2 ? '\ufffd' : part));
}

/** What a terminal takes for a command, or for a line of its own, but for the end of one, and what turns around the text behind it. */
const commands = /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * What was written in a cluster, such as the key of a map or the words of a refusal, in a form in which it moves no cursor, clears
 * no screen and turns no text around: whoever may write a custom resource has no say in the terminal of others. JSON stays the same.
 */
export function harmless(text: string): string {
  return escapedIn(text, commands);
}
