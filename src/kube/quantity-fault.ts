const scanned = /^[+-]?\d*(?:\.\d*)?([eEinumkKMGTP]*[+-]?\d*)$/;
const suffixes = /^(?:[eE][+-]?\d+|[numkMGTPE]?|[KMGTPE]i)$/;
const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** What the API server says of a text that is no quantity. */
export function quantityFault(text: string): string {
  const suffix = scanned.exec(text)?.[1];
  if (text === '' || suffix === undefined) return formatWrong;
  return suffixes.test(suffix) ? 'unable to parse numeric part of quantity' : "unable to parse quantity's suffix";
}
