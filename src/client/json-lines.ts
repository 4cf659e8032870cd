/** A line that is larger than any event can be: the server refuses objects over 3 MiB. */
const longestLine = 16 * 1024 * 1024;

/** A stream of JSON lines broke: its text is not JSON, or it ended within a line. */
export class BrokenLineError extends Error {
  override readonly name = 'BrokenLineError';
}

/**
 * The JSON values of a stream, one a line.
 *
 * Works on bytes: only a line feed ends a line (a raw U+2028 in a string does not), and a character whose bytes arrive in
 * two chunks stays whole. A line that cannot be parsed throws, and is never skipped: what it said is lost otherwise.
 */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10, start); end >= 0; end = chunk.indexOf(10, start)) {
      pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(pending);
      pending = [];
      length = 0;
      start = end + 1;
      if (line.length > 0) yield parse(line);
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > longestLine) throw new BrokenLineError(`a line is longer than ${longestLine} bytes`);
  }
  if (length > 0) throw new BrokenLineError(`the stream ended within a line, after ${length} bytes of it`);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    // What the parser says quotes the line, which may be a Secret's.
    throw new BrokenLineError(`a line of ${line.length} bytes is not JSON`);
  }
}
