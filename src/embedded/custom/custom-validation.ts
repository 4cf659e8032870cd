import type { Json, KubeObject } from '../../kube/manifest.js';
import { ruleProblems } from '../../schema/cel/rule-problems.js';
import { distinct, noField } from '../../schema/combinations.js';
import { type FieldProblem, isRefusal, keepsFromRules, problem } from '../../schema/field-problem.js';
import { duplicates } from '../../schema/list-types.js';
import type { Correlation } from '../../schema/ratchet.js';
import { propertyOf, type StructuralSchema } from '../../schema/structural.js';
import { validateValue } from '../../schema/validate-value.js';
import type { ScaleDefinition } from './custom-definition.js';
import { embeddedProblems } from './embedded-problems.js';
import { scaleSpecProblems, scaleStatusProblems } from './scale-problems.js';

/** What the server says about objects of one version of a custom resource. */
export interface CustomValidation {
  /**
   * Rules are not looked at where `ofMetadata` already says that something is missing. Of one that is of another kind or
   * version, as `ofKind` says, the schema says nothing, but its rules do.
   */
  validate(
    object: KubeObject,
    ofMetadata: readonly FieldProblem[],
    ofKind: readonly FieldProblem[],
  ): readonly FieldProblem[];
  validateUpdate(object: KubeObject, old: KubeObject, ofKind: readonly FieldProblem[]): readonly FieldProblem[];
  validateStatusUpdate(object: KubeObject, old: KubeObject, ofKind: readonly FieldProblem[]): readonly FieldProblem[];
}

export function customValidation(schema: StructuralSchema, scale: ScaleDefinition | undefined): CustomValidation {
  const hasRules = holdsRules(schema);
  const hasSets = holdsSets(schema);
  const status = propertyOf(schema, 'status');

  const scaleProblems = (object: KubeObject) =>
    scale ? [...scaleSpecProblems(object as Json & KubeObject, scale), ...statusScaleProblems(object)] : [];
  const statusScaleProblems = (object: KubeObject) =>
    scale ? scaleStatusProblems(object as Json & KubeObject, scale) : [];

  /** Items that appear twice are held against an update only when there were none before. */
  const doubles = (object: KubeObject, old?: KubeObject) => {
    if (!hasSets) return [];
    const found = duplicates(schema, object, '');
    return found.length > 0 && old && duplicates(schema, old, '').length > 0 ? [] : found;
  };

  const withRules = (
    found: readonly FieldProblem[],
    object: KubeObject,
    old?: KubeObject,
    before: readonly FieldProblem[] = [],
  ): readonly FieldProblem[] => {
    if (!hasRules) return found;
    if ([...before, ...found].some(keepsFromRules)) return [...found, unchecked];
    return [...found, ...ruleProblems(schema, object, { path: '', old, isResourceRoot: true }).filter(isRefusal)];
  };

  const judge = (
    object: KubeObject,
    old: KubeObject | undefined,
    ofMetadata: readonly FieldProblem[],
    ofKind: readonly FieldProblem[],
  ) =>
    withRules(
      [
        ...(ofKind.length > 0
          ? ofKind
          : [...schemaProblemsOf(schema, object, '', old && { old }), ...scaleProblems(object)]),
        ...embeddedProblems(schema, object, ''),
        ...doubles(object, old),
      ],
      object,
      old,
      ofKind.length > 0 ? [] : ofMetadata,
    );

  return {
    validate: (object, ofMetadata, ofKind) => judge(object, undefined, ofMetadata, ofKind),
    validateUpdate: (object, old, ofKind) => judge(object, old, [], ofKind),
    validateStatusUpdate(object, old, ofKind) {
      if (ofKind.length > 0) return withRules([...ofKind, ...doubles(object, old)], object, old);
      const before = Object.hasOwn(old, 'status') ? { old: old['status'] } : undefined;
      const own =
        status && Object.hasOwn(object, 'status') ? schemaProblemsOf(status, object['status'], 'status', before) : [];
      return withRules([...own, ...statusScaleProblems(object), ...doubles(object, old)], object, old);
    },
  };
}

/** Problems of a part of an object, whose own words do not know where the part stands. */
export function schemaProblemsOf(
  schema: StructuralSchema,
  value: unknown,
  root: string,
  before: Correlation | undefined,
): readonly FieldProblem[] {
  const found = validateValue(schema, value, '', before);
  if (found.length === 0) return found;
  return distinct(
    found.map((each) => {
      const path = isAboutNoField(each) ? '' : each.path;
      if (root === '') return path === '' ? { ...each, path: noField } : each;
      return { ...each, path: path === '' ? root : `${root}.${path}` };
    }),
  );
}

/** The server loses the field of a number beyond its format, and of schemas that are combined. */
function isAboutNoField({ path, message }: FieldProblem): boolean {
  return path === noField || message.startsWith('Invalid value: "": Checked value must be of type');
}

const unchecked = problem(
  'FieldValueInvalid',
  noField,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

function holdsRules(schema: StructuralSchema): boolean {
  return some(schema, (each) => each['x-kubernetes-validations'] !== undefined);
}

function holdsSets(schema: StructuralSchema): boolean {
  return some(schema, ({ 'x-kubernetes-list-type': type }) => type === 'set' || type === 'map');
}

function some(schema: StructuralSchema, test: (schema: StructuralSchema) => boolean): boolean {
  const below = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  return test(schema) || below.some((child) => child !== undefined && some(child, test));
}
