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
 * `partly` is told of each chunk that does not end a line.
 */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  partly: () => void = () => {},
): AsyncGenerator<unknown> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
      let text: string;
      if (length === 0) text = bytes.toString('utf8', start, end);
      else {
        text = Buffer.concat([...pending, bytes.subarray(start, end)]).toString('utf8');
        pending = [];
        length = 0;
      }
      start = end + 1;
      if (text !== '') yield parse(text);
    }
    if (start === bytes.length) continue;
    pending.push(bytes.subarray(start));
    length += bytes.length - start;
    if (length > longestLine) throw new BrokenLineError(`a line is longer than ${longestLine} bytes`);
    partly();
  }
  if (length > 0) throw new BrokenLineError(`the stream ended within a line, after ${length} bytes of it`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // What the parser says quotes the line, which may be a Secret's.
    throw new BrokenLineError(`a line of ${Buffer.byteLength(line)} bytes is not JSON`);
  }
}
