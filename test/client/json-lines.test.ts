import { expect, it } from '@jest/globals';
import { BrokenLineError, jsonLines } from '../../src/client/json-lines.js';

const mebibyte = 2 ** 20;

it('C-18: a line that is larger than any event ends the stream before all of it is in memory', async () => {
  let given = 0;
  async function* endless() {
    for (; given < 64; given++) yield Buffer.alloc(mebibyte, 'x');
  }
  const lines = jsonLines(endless());
  await expect(lines.next()).rejects.toThrow(BrokenLineError);
  expect(given).toBeLessThan(20);
});

it('C-18: a line of three mebibytes, in many chunks, is one value', async () => {
  const value = 'é'.repeat(1.5 * mebibyte);
  const bytes = Buffer.from(`${JSON.stringify({ value })}\n{}\n`);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += 1001) yield bytes.subarray(start, start + 1001);
  }
  const values: unknown[] = [];
  let parts = 0;
  for await (const each of jsonLines(chunks(), () => void parts++)) values.push(each);
  expect([values, parts]).toEqual([[{ value }, {}], Math.floor(bytes.length / 1001)]);
});

it.each([1, 2, 3, 7, 1000])('values are what they are, in chunks of %d bytes', async (size) => {
  const values = [{ a: 1 }, { b: 'é' }, [], { c: { d: null } }, 'e'];
  const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const seen: unknown[] = [];
  for await (const each of jsonLines(chunks())) seen.push(each);
  expect(seen).toEqual(values);
});
