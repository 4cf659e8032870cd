import { frozen } from '../../kube/frozen.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { StructuralSchema } from '../../schema/structural.js';
import type { Draft } from '../draft.js';
import type { Conversion, ScalePaths, ServedKind, Shape } from '../kinds/served-kind.js';
import { goValue } from '../patch/go-value.js';
import { convertedBy, type Reviewer, type Reviewers } from '../reviewer.js';
import { notEmbedded, unexplained } from '../status-error.js';
import { customColumns } from './custom-columns.js';
import { type CustomDefinition, type DefinitionVersion, type RawSchema, storageOf } from './custom-definition.js';
import { customRules } from './custom-rules.js';
import { customShape, prunedTo } from './custom-shape.js';
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
export function customKind(definition: CustomDefinition, version: string, reviewers: Reviewers = nobody): ServedKind {
  const { spec, status } = definition;
  const served = spec.versions.find(({ name }) => name === version);
  if (!served) throw new Error(`${definition.metadata.name} has no version ${version}`);
  if (spec.conversion?.strategy === 'Webhook') {
    throw notEmbedded(`the conversion webhook of CustomResourceDefinition ${definition.metadata.name}`);
  }
  const names = status?.acceptedNames?.plural ? status.acceptedNames : spec.names;
  const schema = schemaOf(served);
  const shape = customShape(schema, { group: spec.group, version, kind: names.kind, isStored: served.storage });
  const conversion = conversionOf(definition, served, names.kind, reviewers);
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

/**
 * How objects get into and out of the store: by who converts them, or else relabelled. What is read is first of the version
 * in which it was stored: what that does not have is dropped, and its defaults are filled in, so that a change of the
 * definition shows in what was stored before it. What it is then converted into drops what it does not have, and fills in
 * nothing.
 */
function conversionOf(
  definition: CustomDefinition,
  served: DefinitionVersion,
  kind: string,
  reviewers: Reviewers,
): Conversion | undefined {
  const { spec, metadata } = definition;
  const stored = spec.versions.find(({ storage }) => storage);
  if (!stored) return undefined;
  const isStored = stored.name === served.name;
  // What this very version stored is whole: all else may lack what a definition has become, or what another filled in.
  if (isStored && spec.versions.length === 1 && (metadata.generation ?? 1) === 1) return undefined;

  const apiVersion = `${spec.group}/${served.name}`;
  const storedVersion = `${spec.group}/${stored.name}`;
  const versions = new Map(spec.versions.map((version) => [`${spec.group}/${version.name}`, version]));
  const shapes = new Map<string, Shape>();
  const decoded = (object: KubeObject) => {
    let shape = shapes.get(object.apiVersion);
    if (!shape) {
      const version = versions.get(object.apiVersion) as DefinitionVersion;
      shape = customShape(schemaOf(version), { group: spec.group, version: version.name, kind });
      shapes.set(object.apiVersion, shape);
    }
    return shape.decode({ ...object, kind } as JsonObject).object as object as KubeObject;
  };
  const storage = storageOf(definition);
  const converted = (object: KubeObject, into: string, schema: StructuralSchema): Draft => {
    const reviewer = reviewers.get(storage);
    const other = reviewer
      ? convertedBy(reviewer, object, into, (words) => unexplained(500, words))
      : { ...object, apiVersion: into };
    return prunedTo(schema, other as JsonObject);
  };
  let shown = new WeakMap<KubeObject, KubeObject>();
  let shownBy: Reviewer | undefined;
  const unreadable = ({ apiVersion: is }: KubeObject) =>
    versions.has(is) ? undefined : `request to convert CR from an invalid group/version: ${is}`;
  return {
    toStored: (draft) => (isStored ? draft : converted(draft as object as KubeObject, storedVersion, schemaOf(stored))),
    unreadable,
    fromStored(object) {
      const because = unreadable(object);
      if (because !== undefined) throw unexplained(500, because);
      const reviewer = reviewers.get(storage);
      if (reviewer !== shownBy) {
        shownBy = reviewer;
        shown = new WeakMap();
      }
      let result = shown.get(object);
      if (!result) {
        const own = decoded(object);
        const isOfThis = own.apiVersion === apiVersion;
        result = frozen(isOfThis ? own : converted(own, apiVersion, schemaOf(served))) as object as KubeObject;
        shown.set(object, result);
        // Who shows it may ask again, and nothing more is to be filled in then.
        shown.set(result, result);
      }
      return result;
    },
  };
}

const nobody: Reviewers = new Map();

type JsonObject = { readonly [field: string]: Json };

function schemaOf({ schema }: DefinitionVersion): StructuralSchema {
  return structuralOf(schema?.openAPIV3Schema ?? noSchema);
}

const noSchema: RawSchema = {};
