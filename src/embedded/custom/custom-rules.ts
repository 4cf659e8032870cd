import type { Json, KubeObject } from '../../kube/manifest.js';
import { withDefaults } from '../../schema/defaults.js';
import { type FieldProblem, problem } from '../../schema/field-problem.js';
import type { StructuralSchema } from '../../schema/structural.js';
import type { Draft } from '../draft.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { forbidden, internalError } from '../status-error.js';
import { type CustomDefinition, type DefinitionVersion, definitionStorage, isTrue } from './custom-definition.js';
import { customValidation } from './custom-validation.js';
import { finalizerWarnings } from './finalizer-warnings.js';

/** The rules of a custom resource: its schema, and what its subresources set apart. */
export function customRules(definition: CustomDefinition, version: DefinitionVersion, schema: StructuralSchema): Rules {
  const { group, names } = definition.spec;
  const accepted = definition.status?.acceptedNames?.kind || names.kind;
  const hasStatus = version.subresources?.status !== undefined;
  const { validate, validateUpdate, validateStatusUpdate } = customValidation(schema, version.subresources?.scale);
  const expected = `${group}/${version.name}`;
  /** A new object has no status when it is stored. What the schema says that it is by default is found when it is read. */
  const statusDefault = (withDefaults(schema, {}) as { readonly status?: Json }).status;
  /** Of what is of another kind or version the schema is not asked. */
  const kindProblems = ({ kind, apiVersion }: KubeObject): readonly FieldProblem[] => [
    ...(kind === accepted ? [] : [problem('FieldValueInvalid', 'kind', kind, `must be ${accepted}`)]),
    ...(apiVersion === expected ? [] : [problem('FieldValueInvalid', 'apiVersion', apiVersion, `must be ${expected}`)]),
  ];
  const checkVersion = ({ apiVersion }: Draft) => {
    if (apiVersion) return;
    throw internalError("Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'");
  };
  return {
    admit(object, operation, world) {
      if (operation !== 'CREATE') return;
      const now = world.get(definitionStorage, undefined, definition.metadata.name) as CustomDefinition | undefined;
      if (!now || !isTrue(now, 'Terminating')) return;
      const because = 'create not allowed while custom resource definition is terminating';
      throw forbidden({ group, name: names.plural }, object.metadata.name ?? '', because);
    },
    prepareForCreate(object) {
      checkVersion(object);
      if (hasStatus) delete object['status'];
    },
    prepareForUpdate(object, old) {
      checkVersion(object);
      if (!hasStatus) return;
      if (Object.hasOwn(old, 'status')) object['status'] = old['status'];
      else delete object['status'];
    },
    ...(hasStatus && statusDefault !== undefined
      ? {
          completeWhenRead(object) {
            if (Object.hasOwn(object, 'status')) return false;
            object['status'] = structuredClone(statusDefault);
            return true;
          },
        }
      : {}),
    validate: (object, _, ofMetadata) => validate(object, ofMetadata, kindProblems(object)),
    validateUpdate: (object, old) => validateUpdate(object, old, kindProblems(object)),
    validateStatusUpdate: (object, old) => validateStatusUpdate(object, old, kindProblems(object)),
    warnings: finalizerWarnings,
    judgesMetadataLast: (object) => kindProblems(object).length > 0,
    generation: hasStatus ? 'spec' : isChanged,
    resetFields: { main: hasStatus ? [['f:status']] : [], status: [['f:metadata'], ['f:spec']] },
    allowsUnconditionalUpdate: false,
  };
}

/** Without a status of its own any change but that of metadata counts. */
function isChanged(object: KubeObject, old: KubeObject): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  names.delete('metadata');
  names.delete('apiVersion');
  return [...names].some((name) => !equal(object[name] as Json | undefined, old[name] as Json | undefined));
}
