import { labelKey, labelValue } from '../../schema/name-formats.js';

type Label = readonly [key: string, value: string];

/**
 * Why nothing can have a label, in the words of the API server, which refuses to look for it; empty where something can. In a
 * selector it may be more than one requirement, or another: of a comma, or of `!` before a key.
 */
export function labelProblems([key, value]: Label): readonly string[] {
  return [...labelKey(key), ...labelValue(value)];
}
