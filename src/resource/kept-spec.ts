import { packedText, unpackedText } from '../kube/packed-text.js';
import { keptSpec, tooLong } from '../kube/stored-spec.js';
import type { WholeNumbers } from '../kube/whole-numbers.js';

/** Whoever serves conversions says behind it that it was put there by him, in so many bytes at most. */
const sealBytes = 32;

type Annotations = Readonly<Record<string, string>>;

/**
 * All annotations of an object together: https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go
 * A converted object with more is refused, and with it the whole list that it is in.
 */
const mostBytes = 256 * 1024;

/** No spec is longer than a request may be. */
const mostUnpacked = 3 * 1024 * 1024;
const packedMark = 'gzip:';

/** `annotations` with `spec` beside them: as JSON, or where that would be too long, the same packed. */
export function withKept(annotations: Annotations, spec: unknown, numbers: WholeNumbers): Annotations {
  const room = Object.entries(annotations).reduce((left, annotation) => left - weightOf(annotation), mostBytes);
  const fits = (text: string) => weightOf([keptSpec, text]) <= room;
  const json = written(spec);
  if (json === undefined) return withMark(annotations, room);
  const text = numbers.restored(json);
  if (fits(text)) return { ...annotations, [keptSpec]: text };
  const packed = `${packedMark}${packedText(text)}`;
  return fits(packed) ? { ...annotations, [keptSpec]: packed } : withMark(annotations, room);
}

/**
 * `annotations`, which leave so much `room`, with the mark of what cannot be kept beside them. Where even that has none, the longest are
 * not shown: nobody can write the object back without them.
 */
function withMark(annotations: Annotations, room: number): Annotations {
  const shown = Object.entries(annotations).sort((a, b) => weightOf(a) - weightOf(b));
  for (let left = room - weightOf([keptSpec, tooLong]) - sealBytes; left < 0 && shown.length > 0; )
    left += weightOf(shown.pop()!);
  return { ...Object.fromEntries(shown), [keptSpec]: tooLong };
}

/** Undefined for what is nested too deeply: who puts it back goes down level by level, and would run out of stack. */
function written(spec: unknown): string | undefined {
  try {
    return JSON.stringify(spec);
  } catch {
    return undefined;
  }
}

/** The spec that was kept as `text`. Undefined where there is none: somebody may have written anything there. */
export function keptIn(text: string, numbers: WholeNumbers): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = text.startsWith(packedMark) ? unpackedText(text.slice(packedMark.length), mostUnpacked) : text;
    const value: unknown = JSON.parse(json);
    numbers.note(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function weightOf([key, value]: readonly [key: string, value: string]): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value);
}
