import { groupOf } from '../../kube/api-resource.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { problem } from '../../schema/field-problem.js';
import type { StructuralSchema } from '../../schema/structural.js';
import type { Draft } from '../draft.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { forbidden, internalError, invalid } from '../status-error.js';
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
  const checkKind = ({ kind, apiVersion, metadata: { name = '' } }: Draft) => {
    if (kind === accepted && apiVersion === expected) return;
    if (!apiVersion) {
      throw internalError(
        "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
      );
    }
    const wrong = [
      ...(kind === accepted ? [] : [problem('FieldValueInvalid', 'kind', kind, `must be ${accepted}`)]),
      ...(apiVersion === expected
        ? []
        : [problem('FieldValueInvalid', 'apiVersion', apiVersion, `must be ${expected}`)]),
    ];
    throw invalid({ group: groupOf(apiVersion), name: kind }, name, wrong);
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
      checkKind(object);
      if (hasStatus) delete object['status'];
    },
    prepareForUpdate(object, old) {
      checkKind(object);
      if (!hasStatus) return;
      if (Object.hasOwn(old, 'status')) object['status'] = old['status'];
      else delete object['status'];
    },
    validate,
    validateUpdate,
    validateStatusUpdate,
    warnings: finalizerWarnings,
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
