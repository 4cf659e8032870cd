/** Of an operation that is only found not to go with what it is given when it is evaluated, the server says no more. */
export const noOverload = 'no such overload';

/** An error of an evaluation in cel-go's words. */
export function celError(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
  return message
    .replace(/^No such key: index out of bounds, index (-?\d+).*$/, 'index out of bounds: $1')
    .replace(/^No such key/, 'no such key')
    .replace(/^(no such overload: |found no matching overload for ).*$/, noOverload)
    .replace(
      /^(unsigned )?integer overflow.*$/i,
      (overflow) => `${/^u/i.test(overflow) ? 'unsigned ' : ''}integer overflow`,
    )
    .replace(/^modulo by zero/, 'modulus by zero')
    .replace(/^Optional value is not present/, 'optional.none() dereference');
}
