import type { Json, KubeObject } from '../../kube/manifest.js';
import type { Conversion, ScalePaths, ServedKind } from '../kinds/served-kind.js';
import { goValue } from '../patch/go-value.js';
import { notEmbedded } from '../status-error.js';
import { customColumns } from './custom-columns.js';
import { type CustomDefinition, type DefinitionVersion, storageOf } from './custom-definition.js';
import { customRules } from './custom-rules.js';
import { customShape } from './custom-shape.js';
import { deprecationWarnings } from './deprecation-warnings.js';
import { jsonPath } from './json-path.js';
import { fieldsOf } from './scale-problems.js';
import { structuralOf } from './structural-of.js';

/** In the order in which discovery names them. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/**
 * A version of a custom resource as the server serves it. `definition` is valid, and its names have been accepted.
 *
 * Whatever costs time is compiled here, once for each definition. Throws a `StatusError` for a definition whose versions
 * are converted by a webhook.
 */
export function customKind(definition: CustomDefinition, version: string): ServedKind {
  const { spec, status } = definition;
  const served = spec.versions.find(({ name }) => name === version);
  if (!served) throw new Error(`${definition.metadata.name} has no version ${version}`);
  if (spec.conversion?.strategy === 'Webhook') {
    throw notEmbedded(`the conversion webhook of CustomResourceDefinition ${definition.metadata.name}`);
  }
  const names = status?.acceptedNames?.plural ? status.acceptedNames : spec.names;
  const schema = structuralOf(served.schema?.openAPIV3Schema ?? {});
  const shape = customShape(schema, names.kind, version);
  const conversion = conversionOf(definition, served, names.kind);
  const scale = scalePaths(served);
  const warnings = deprecationWarnings(spec, served);
  return {
    group: spec.group,
    version,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    storage: storageOf(definition),
    verbs,
    subresources: { status: served.subresources?.status !== undefined, ...(scale ? { scale } : {}) },
    shape,
    rules: customRules(definition, served, schema),
    columns: customColumns(served),
    addsAge: false,
    ...(conversion ? { conversion } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
    selectableFields: selectableFields(served),
  };
}

function scalePaths({ subresources }: DefinitionVersion): ScalePaths | undefined {
  const scale = subresources?.scale;
  if (!scale) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: fieldsOf(specReplicasPath),
    statusReplicas: fieldsOf(statusReplicasPath),
    ...(labelSelectorPath ? { selector: fieldsOf(labelSelectorPath) } : {}),
  };
}

function selectableFields({ selectableFields: fields = [] }: DefinitionVersion): ServedKind['selectableFields'] {
  return Object.fromEntries(
    fields.map(({ jsonPath: source }) => {
      const path = jsonPath(source);
      const read = (object: KubeObject) => {
        const [value = null] = path?.(object as KubeObject & Json) ?? [];
        return value === null ? '' : goValue(value);
      };
      return [source.replace(/^\./, ''), read];
    }),
  );
}

/** A version that is not the stored one: what the schema of either does not have is dropped on the way. */
function conversionOf({ spec }: CustomDefinition, served: DefinitionVersion, kind: string): Conversion | undefined {
  const stored = spec.versions.find(({ storage }) => storage);
  if (!stored || stored.name === served.name) return undefined;
  const into = (version: DefinitionVersion) => {
    const schema = structuralOf(version.schema?.openAPIV3Schema ?? {});
    const shape = customShape(schema, kind, version.name);
    const apiVersion = `${spec.group}/${version.name}`;
    return (object: object) =>
      shape.decode({ ...object, apiVersion, kind } as { readonly [field: string]: Json }).object;
  };
  const fromStored = into(served);
  return { toStored: into(stored), fromStored: (object) => fromStored(object) as unknown as KubeObject };
}
