import { DefinitionError } from '../kube/errors.js';
import type { Manifest } from '../kube/manifest.js';
import { checkObjectDefinition } from '../schema/definition.js';
import type { AnySchema } from '../schema/schema.js';
import type { StructuralSchema } from '../schema/structural.js';
import type { CustomResourceInput } from './custom-resource.js';
import { checkDeprecation, checkVersionNames, type OtherVersion } from './other-version.js';
import { printerColumns } from './printer-columns.js';
import { resourceNames } from './resource-names.js';
import { scalePaths } from './scale.js';
import { checkStatusWithoutFields, statusSchema } from './status-schema.js';

type Input = CustomResourceInput<AnySchema, AnySchema, Readonly<Record<string, AnySchema>>>;
type Version = Pick<OtherVersion, 'spec' | 'columns' | 'scale'>;

/** The schema of whole objects of the stored version. Throws `DefinitionError` for what the API server would refuse. */
export function objectSchema(input: Input, { spec }: Version = input): StructuralSchema {
  const { kind, description, status } = input;
  const wanted = spec.structural();
  if (wanted.type !== 'object') {
    throw new DefinitionError(`${kind} cannot be defined: spec is no object`, { hint: 'write spec: s.object({ … })' });
  }
  if (spec.presence === 'optional') {
    throw new DefinitionError(`${kind} cannot be defined: spec is optional, so that compose may not have it`, {
      hint: 'leave optional out, or write default: {}',
    });
  }
  const observed = statusSchema(kind, status?.structural({ allOptional: true }));
  const schema: StructuralSchema = {
    type: 'object',
    description: description ?? `${kind} is reconciled by an operator.`,
    ...(spec.presence === 'required' ? { required: ['spec'] } : {}),
    properties: {
      spec: { ...wanted, description: wanted.description ?? 'What is wanted.' },
      status: observed,
    },
  };
  checkObjectDefinition(schema, kind);
  checkStatusWithoutFields(kind, observed);
  return schema;
}

/** The CustomResourceDefinition. Throws `DefinitionError` for what the API server would refuse. */
export function definition(input: Input): Manifest {
  const { group, version, kind, namespaced = true } = input;
  const names = resourceNames(input);
  const others = Object.entries(input.versions ?? {}) as [string, OtherVersion][];
  checkVersionNames(
    kind,
    version,
    others.map(([name]) => name),
  );
  for (const [name, other] of others) checkDeprecation(kind, name, other);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${names.plural}.${group}`,
      ...(isProtected(group)
        ? { annotations: { [approval]: 'unapproved, not an API of the Kubernetes project' } }
        : {}),
    },
    spec: {
      group,
      names: { ...names },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        { name: version, served: true, storage: true, ...served(input, input) },
        ...others.map(([name, other]) => ({
          name,
          served: other.served ?? true,
          storage: false,
          ...deprecation(other),
          ...served(input, other),
        })),
      ],
    },
  };
}

function served(input: Input, version: Version): Readonly<Record<string, unknown>> {
  const { kind } = input;
  const { columns = {}, scale } = version;
  const schema = objectSchema(input, version);
  return {
    subresources: { status: {}, ...(scale ? { scale: scalePaths(kind, scale, schema) } : {}) },
    additionalPrinterColumns: printerColumns(input, columns, schema),
    schema: { openAPIV3Schema: schema },
  };
}

function deprecation({ deprecated = false }: OtherVersion): Readonly<Record<string, unknown>> {
  if (deprecated === false) return {};
  return { deprecated: true, ...(deprecated === true ? {} : { deprecationWarning: deprecated }) };
}

/** The API server refuses a definition in a group of the Kubernetes project that does not say whether it is approved. */
const approval = 'api-approved.kubernetes.io';

function isProtected(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
