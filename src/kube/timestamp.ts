/** A moment, of milliseconds since 1970, as objects carry it: RFC 3339 in UTC, in whole seconds. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
