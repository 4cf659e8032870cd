import { boolean } from './boolean.js';
import { intOrString, quantity } from './int-or-string.js';
import { array, listMap, set } from './list.js';
import { map } from './map.js';
import { int32, int64, number } from './number.js';
import { object } from './object.js';
import { preserved } from './preserved.js';
import { enumOf, string } from './string.js';

/**
 * The vocabulary in which an author describes `spec` and `status`. It is the structural subset of OpenAPI and nothing
 * else, so a schema that the API server would refuse cannot be written, or fails where it is written, with a `DefinitionError`.
 *
 * A field is required unless it says `optional` or has a `default`. `In` and `Out` give the types of a schema.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export const s = {
  int32,
  int64,
  number,
  string,
  boolean,
  enum: enumOf,
  object,
  array,
  set,
  listMap,
  map,
  intOrString,
  quantity,
  preserved,
} as const;

export type { In, Out } from './schema.js';
