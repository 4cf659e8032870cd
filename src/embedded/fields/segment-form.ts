/** Whether a segment of `fieldsV1` is one, or of a form that is still to come. */
export function formOf(segment: string): 'known' | 'unknown' | 'broken' {
  if (segment.length < 2 || segment[1] !== ':') return 'broken';
  const rest = segment.slice(2);
  switch (segment[0]) {
    case 'f':
      return 'known';
    case 'v':
      return isJson(rest) ? 'known' : 'broken';
    case 'k':
      return rest.startsWith('{') && isJson(rest) ? 'known' : 'broken';
    case 'i':
      return /^[-+]?\d+$/.test(rest) ? 'known' : 'broken';
    default:
      return 'unknown';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
