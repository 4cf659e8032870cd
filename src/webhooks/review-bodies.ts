import type { IncomingMessage } from 'node:http';

/** Why a body is not read: it is more than can be, or more than can be now. */
export type BodyRefusal = 413 | 503;

/**
 * The bodies that are read, and what was made of them, in as much room as there is: anybody who reaches the port can send
 * some, and their sum must not end the process.
 *
 * **Guarantees.** Never more than `room` bytes of memory, as `weightOf` estimates them. What cannot be read is refused before
 * it is there, where its length says so.
 */
export class ReviewBodies {
  #taken = 0;

  constructor(private readonly room: number) {}

  /** Gives the body of `request`, of `largest` bytes at most, to `use`, and holds its room until that is done. */
  async read(
    request: IncomingMessage,
    largest: number,
    use: (body: string) => Promise<void>,
  ): Promise<BodyRefusal | undefined> {
    let weight = 0;
    const take = (more: number): BodyRefusal | undefined => {
      weight += more;
      this.#taken += more;
      if (weight > this.room) return 413;
      return this.#taken > this.room ? 503 : undefined;
    };
    try {
      const declared = Number(request.headers['content-length'] ?? 0);
      if (declared > largest || declared * least > this.room) return 413;
      if (declared * least > this.room - this.#taken) return 503;
      const text = await textOf(request, largest, take);
      if (typeof text !== 'string') return text;
      await use(text);
      return undefined;
    } finally {
      this.#taken -= weight;
    }
  }
}

async function textOf(
  request: IncomingMessage,
  largest: number,
  take: (weight: number) => BodyRefusal | undefined,
): Promise<string | BodyRefusal> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Who is refused is answered, for which the connection has to stay.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    const refusal = size > largest ? 413 : take(weightOf(chunk));
    if (refusal) return refusal;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Bytes of memory for each byte of JSON. It is there as what came, as text, and as what was parsed, and again as the answer;
 * what begins an object or a list, or parts values, has more behind it.
 */
const least = 5;
const weights = new Uint8Array(256).fill(least);
for (const [character, weight] of Object.entries({ '{': 56, '[': 56, ':': 32, ',': 8 })) {
  weights[character.charCodeAt(0)] = weight;
}

/** How much memory it takes to review `chunk`, within a factor of about two: measured, of text, lists of `{}`, custom resources. */
function weightOf(chunk: Uint8Array): number {
  let sum = 0;
  for (const byte of chunk) sum += weights[byte]!;
  return sum;
}
