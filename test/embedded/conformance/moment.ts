/** A moment in which a controller of a server, or its memory, may get on. */
export function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 25));
}
