import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { UntypedError } from './compare.js';
import { FieldSet } from './field-set.js';
import type { FieldType } from './field-type.js';
import { typedProblems } from './typed-problems.js';

/** How objects of a kind look in one of its versions, as far as ownership goes. */
export interface VersionView {
  readonly type: FieldType;
  /** Fields that no manager owns through the (sub)resource that is written to, with all below them. */
  readonly ignored: FieldSet;
  /** An object of any version in this one. */
  convert(object: Json): Json;
}

/** Managers own fields of the version that they wrote, so that changes are looked at in each of these. */
export interface Versions {
  readonly current: string;
  /** Undefined for a version that is not served: who wrote it is forgotten. */
  view(version: string): VersionView | undefined;
}

/** Of a kind that has one version only. */
export function onlyVersion(type: FieldType, ignored: FieldSet = FieldSet.empty): Versions {
  const view: VersionView = { type, ignored, convert: (object) => object };
  return { current: '', view: () => view };
}

/** An object in a version. Throws `UntypedError`, in the server's words, when it is not of the type of that version. */
export function seenIn(versions: Versions, version: string, object: Json): Json | undefined {
  const view = versions.view(version);
  if (!view || versionOf(object) === version) return view && object;
  const converted = view.convert(object);
  const problems = typedProblems(converted, view.type);
  if (problems.length > 0) throw new UntypedError(allOf(problems));
  return converted;
}

function versionOf(object: Json): Json | undefined {
  return isMap(object) ? (object['apiVersion'] ?? '') : '';
}

/** Several problems as one text, as the server shows them. */
export function allOf(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] as string) : `errors:\n${problems.map((each) => `  ${each}`).join('\n')}`;
}
