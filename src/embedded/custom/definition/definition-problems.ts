import type { Json } from '../../../kube/manifest.js';
import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import { dns1035Label, dns1123Subdomain, dns1123SubdomainName } from '../../../schema/name-formats.js';
import { isSameJson } from '../../../schema/same-json.js';
import {
  type CustomDefinition,
  type DefinitionSpec,
  type DefinitionVersion,
  isTrue,
  type RawSchema,
} from '../custom-definition.js';
import { approvalProblems } from './api-approval.js';
import { type ConversionDefinition, conversionProblems } from './conversion-problems.js';
import { goVersions } from './go-definition.js';
import { missingNames, nameProblems } from './name-problems.js';
import { columnProblems, deprecationProblems, subresourceProblems } from './part-problems.js';
import { someSchema } from './raw-schema.js';
import { selectableFieldProblems } from './selectable-field-problems.js';
import { validationProblems } from './validation-problems.js';

/** What is wrong with a definition that is to be created, beside its metadata. */
export function definitionProblems(definition: CustomDefinition): readonly FieldProblem[] {
  return [...specProblems(definition.spec, false), ...statusProblems(definition), ...afterwards(definition)];
}

/** A definition is called after the names and the group that it defines. */
export function definitionNameProblems(name: string, isPrefix: boolean, { spec }: CustomDefinition): readonly string[] {
  const problems = dns1123SubdomainName(name, isPrefix);
  const wanted = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  return name === wanted ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
}

/** What is wrong with a definition that is to replace another. */
export function definitionUpdateProblems(definition: CustomDefinition, old: CustomDefinition): readonly FieldProblem[] {
  const { spec } = definition;
  const isEstablished = isTrue(old, 'Established');
  const found = [...specProblems(spec, isEstablished)];
  const immutable = (at: string, value: Json | undefined, before: Json | undefined) => {
    if (value !== before) found.push(problem('FieldValueInvalid', `spec.${at}`, value ?? '', 'field is immutable'));
  };
  if (isEstablished) {
    immutable('scope', spec.scope, old.spec.scope);
    immutable('names.kind', spec.names.kind, old.spec.names.kind);
  }
  immutable('group', spec.group, old.spec.group);
  immutable('names.plural', spec.names.plural, old.spec.names.plural);
  return [...found, ...statusProblems(definition), ...afterwards(definition, old)];
}

export function definitionStatusProblems({ status }: CustomDefinition): readonly FieldProblem[] {
  return nameProblems(status?.acceptedNames ?? {}, 'status.acceptedNames');
}

function afterwards(definition: CustomDefinition, old?: CustomDefinition): readonly FieldProblem[] {
  const found = [...approvalProblems(definition, old)];
  if (definition.spec.preserveUnknownFields === true) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    found.push(problem('FieldValueInvalid', 'spec.preserveUnknownFields', true, detail));
  }
  return found;
}

function statusProblems(definition: CustomDefinition): readonly FieldProblem[] {
  const found = [...definitionStatusProblems(definition)];
  const versions = definition.spec.versions ?? [];
  const stored = definition.status?.storedVersions ?? [];
  const path = 'status.storedVersions';
  if (stored.length === 0) {
    const shown = definition.status?.storedVersions ?? null;
    found.push(problem('FieldValueInvalid', path, shown, 'must have at least one stored version'));
    return found;
  }
  for (const [index, { name, storage }] of versions.entries()) {
    // Each stored version is had by one version only, so that the second of a name has none.
    const isFirst = versions.findIndex((version) => version.name === name) === index;
    if (storage && !(isFirst && stored.includes(name))) {
      found.push(problem('FieldValueInvalid', path, stored, `must have the storage version ${name}`));
    }
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    found.push(problem('FieldValueInvalid', `${path}[${index}]`, name, detail));
  }
  return found;
}

/** Parts that all versions have in common, which the server looks at, and names, as parts of the whole. */
type Common = Partial<
  Pick<DefinitionVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>
>;

const commonParts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

function partedOf(versions: readonly DefinitionVersion[]): { common: Common; own: readonly DefinitionVersion[] } {
  const [first] = versions;
  if (!first) return { common: {}, own: versions };
  const shared = commonParts.filter((part) =>
    versions.every((version) => isSameJson(version[part] ?? null, first[part] ?? null)),
  );
  const common = Object.fromEntries(shared.flatMap((part) => (first[part] === undefined ? [] : [[part, first[part]]])));
  const own = versions.map((version) =>
    Object.fromEntries(Object.entries(version).filter(([key]) => !(shared as readonly string[]).includes(key))),
  );
  return { common, own: own as unknown as readonly DefinitionVersion[] };
}

function specProblems(spec: DefinitionSpec, isEstablished: boolean): readonly FieldProblem[] {
  const { group = '', names, preserveUnknownFields } = spec;
  const versions = spec.versions ?? [];
  const { common, own } = partedOf(versions);
  const found: FieldProblem[] = [...groupProblems(group), ...scopeProblems(spec.scope)];

  if (!common.schema?.openAPIV3Schema) {
    for (const [index, { schema }] of own.entries()) {
      if (schema?.openAPIV3Schema) continue;
      found.push(problemWithoutValue('FieldValueRequired', `spec.versions[${index}].schema.openAPIV3Schema`));
    }
  }
  const schemas = versions.flatMap(({ schema }) => (schema?.openAPIV3Schema ? [schema.openAPIV3Schema] : []));
  if (preserveUnknownFields === true && schemas.some(hasDefault)) {
    const detail = 'must be false in order to use defaults in the schema';
    found.push(problem('FieldValueInvalid', 'spec.preserveUnknownFields', true, detail));
  }

  for (const [index, version] of own.entries()) {
    const at = `spec.versions[${index}]`;
    const { name = '' } = version;
    const faults = dns1035Label(name);
    if (faults.length > 0) found.push(problem('FieldValueInvalid', `${at}.name`, name, faults.join(',')));
    const { subresources } = versions[index]!;
    found.push(...versionProblems(version, at, subresources?.status !== undefined));
  }

  const invalidVersions = (detail: string) =>
    found.push({
      reason: 'FieldValueInvalid',
      path: 'spec.versions',
      message: `Invalid value: ${own.length > 0 ? goVersions(own) : spec.versions ? '[]' : 'null'}: ${detail}`,
    });
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    invalidVersions('must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    invalidVersions('must have exactly one version marked as storage version');
  }
  const [first] = versions;
  const faults = first?.name ? dns1035Label(first.name) : [];
  if (faults.length > 0) found.push(problem('FieldValueInvalid', 'spec.version', first!.name, faults.join(',')));

  found.push(...missingNames(names ?? {}, 'spec.names'), ...nameProblems(names ?? {}, 'spec.names'));
  const hasStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
  found.push(...validationProblems(common.schema?.openAPIV3Schema, 'spec.validation', hasStatus));
  found.push(...subresourceProblems(common.subresources, 'spec.subresources'));
  for (const [index, column] of (common.additionalPrinterColumns ?? []).entries()) {
    found.push(...columnProblems(column, `spec.additionalPrinterColumns[${index}]`));
  }
  if (common.selectableFields && common.selectableFields.length > 0) {
    const schema = common.schema?.openAPIV3Schema;
    if (!common.schema) {
      const detail = 'may only be set when validations.schema is included';
      found.push(problem('FieldValueInvalid', 'spec.selectableFields', '', detail));
    } else found.push(...selectableFieldProblems(common.selectableFields, schema ?? {}, 'spec.selectableFields'));
  }
  const conversion = spec.conversion as ConversionDefinition | undefined;
  if (conversion && conversion.strategy !== 'None' && preserveUnknownFields === true) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    found.push(problem('FieldValueInvalid', 'spec.conversion.strategy', conversion.strategy ?? '', detail));
  }
  return [...found, ...conversionProblems(conversion, 'spec.conversion', isEstablished)];
}

function versionProblems(version: DefinitionVersion, path: string, hasStatus: boolean): readonly FieldProblem[] {
  const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  const found: FieldProblem[] = [
    ...deprecationProblems(version, path),
    ...validationProblems(schema?.openAPIV3Schema, `${path}.schema`, hasStatus),
    ...subresourceProblems(subresources, `${path}.subresources`),
  ];
  for (const [index, column] of additionalPrinterColumns.entries()) {
    found.push(...columnProblems(column, `${path}.additionalPrinterColumns[${index}]`));
  }
  if (selectableFields.length === 0) return found;
  if (!schema?.openAPIV3Schema) {
    const detail = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [...found, problem('FieldValueInvalid', `${path}.selectableFields`, '', detail)];
  }
  return [...found, ...selectableFieldProblems(selectableFields, schema.openAPIV3Schema, `${path}.selectableFields`)];
}

function groupProblems(group: string): readonly FieldProblem[] {
  if (group === '') return [problemWithoutValue('FieldValueRequired', 'spec.group')];
  const faults = dns1123Subdomain(group);
  if (faults.length > 0) return [problem('FieldValueInvalid', 'spec.group', group, faults.join(','))];
  if (group.includes('.')) return [];
  return [problem('FieldValueInvalid', 'spec.group', group, 'should be a domain with at least one dot')];
}

function scopeProblems(scope: string | undefined): readonly FieldProblem[] {
  if (!scope) return [problemWithoutValue('FieldValueRequired', 'spec.scope')];
  if (scope === 'Cluster' || scope === 'Namespaced') return [];
  return [problem('FieldValueNotSupported', 'spec.scope', scope, 'supported values: "Cluster", "Namespaced"')];
}

function hasDefault(schema: RawSchema): boolean {
  return someSchema(schema, ({ default: value }) => value !== undefined && value !== null);
}
