import type { Json, KubeObject } from '../../kube/manifest.js';

/** What this server reads of a CustomResourceDefinition, as it is stored: valid, and with defaults filled in. */
export interface CustomDefinition extends KubeObject {
  readonly spec: DefinitionSpec;
  readonly status?: DefinitionStatus;
}

export interface DefinitionSpec {
  readonly group: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  readonly conversion?: { readonly strategy: string; readonly webhook?: unknown };
  readonly preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: RawSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScaleDefinition };
  readonly additionalPrinterColumns?: readonly ColumnDefinition[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** A schema as it stands in a definition, with all that JSON Schema has. */
export interface RawSchema {
  readonly [key: string]: Json;
}

export interface ScaleDefinition {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface DefinitionStatus {
  readonly acceptedNames?: DefinitionNames;
  readonly conditions?: readonly DefinitionCondition[] | null;
  readonly storedVersions?: readonly string[];
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Under which name the store keeps definitions. */
export const definitionStorage = 'customresourcedefinitions.apiextensions.k8s.io';

export function conditionOf(definition: CustomDefinition, type: string): DefinitionCondition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: CustomDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True';
}

/** Under which name the store keeps the objects of a definition. */
export function storageOf({ spec }: CustomDefinition): string {
  return `${spec.names.plural}.${spec.group}`;
}
