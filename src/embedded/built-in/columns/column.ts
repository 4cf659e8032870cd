import type { Json, KubeObject } from '../../../kube/manifest.js';
import { humanDuration } from '../../custom/human-duration.js';
import type { TableColumn } from '../../kinds/served-kind.js';

/** The columns of a kind beside its name; with `addsAge: false` also without its age. */
export interface Columns {
  readonly columns: readonly TableColumn[];
  readonly addsAge?: false;
}

interface Options {
  readonly type?: TableColumn['type'];
  readonly format?: string;
  readonly isWide?: boolean;
}

/** A column of objects of the type `T`. `now` is in milliseconds since the epoch. */
export function column<T>(name: string, cell: (object: T, now: number) => Json, options: Options = {}): TableColumn {
  const { type = 'string', format, isWide = false } = options;
  return {
    name,
    type,
    ...(format !== undefined && { format }),
    priority: isWide ? 1 : 0,
    cell: (object, now) => cell(object as unknown as T, now),
  };
}

export const wide: Options = { isWide: true };
export const integer: Options = { type: 'integer' };
export const boolean: Options = { type: 'boolean' };

/** Where the age does not come last of what is always shown. */
export const age = column<KubeObject>('Age', ({ metadata }, now) => since(metadata.creationTimestamp, now));

/** Of kinds that nobody has written columns for. */
export const createdAt = column<KubeObject>('Created At', ({ metadata }) => metadata.creationTimestamp ?? null, {
  type: 'date',
});

/** How long ago a time was, or what stands for one that is not there. */
export function since(time: string | null | undefined, now: number): string {
  return time === undefined || time === null ? '<unknown>' : humanDuration(now - Date.parse(time));
}

/** The first few of a list, and how many more there are. */
export function few(items: readonly string[], most: number, none: string, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  if (items.length > most) return `${shown} + ${items.length - most} more...`;
  return shown === '' ? none : shown;
}
