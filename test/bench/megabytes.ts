/** The kernel counts in mebibytes, which are kept; whoever reads of MB means millions of bytes, in which the marks are set. */
export function megabytes(mebibytes: number): number {
  return (mebibytes * 2 ** 20) / 1_000_000;
}
