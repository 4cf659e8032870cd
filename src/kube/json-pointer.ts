/** A key as a step of a JSON Pointer: https://www.rfc-editor.org/rfc/rfc6901 */
export function pointerStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
