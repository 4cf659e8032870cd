import type { KubeObject } from '../../../kube/manifest.js';
import { isSameJson } from '../../../schema/same-json.js';
import type { Draft } from '../../draft.js';
import type { Rules } from '../../kinds/served-kind.js';
import { notEmbedded } from '../../status-error.js';
import type { CustomDefinition, DefinitionCondition, DefinitionSpec, DefinitionStatus } from '../custom-definition.js';
import { withCondition } from './conditions.js';
import {
  definitionNameProblems,
  definitionProblems,
  definitionStatusProblems,
  definitionUpdateProblems,
} from './definition-problems.js';
import { formatWarnings } from './format-warnings.js';

/** Holds a definition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const pending: DefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** A definition on its way into the store, as much of it as has come. */
interface DefinitionDraft extends Draft {
  spec?: { -readonly [Key in keyof DefinitionSpec]?: DefinitionSpec[Key] };
  status?: DefinitionStatus;
}

/**
 * The rules of CustomResourceDefinitions themselves.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
export const definitionRules: Rules = {
  default(object: DefinitionDraft) {
    const { spec } = object;
    if (!spec) return;
    const { names } = spec;
    if (names) {
      spec.names = {
        ...names,
        singular: names.singular || (names.kind ?? '').toLowerCase(),
        ...(names.listKind || names.kind ? { listKind: names.listKind || `${names.kind}List` } : {}),
      };
    }
    spec.conversion ??= { strategy: 'None' };
    withPort(spec.conversion);
    const stored = spec.versions?.find(({ storage }) => storage);
    if (stored && !object.status?.storedVersions?.length) {
      object.status = { ...object.status, storedVersions: [stored.name] };
    }
  },
  prepareForCreate(object: DefinitionDraft) {
    const stored = object.spec?.versions?.find(({ storage }) => storage);
    object.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      ...(stored ? { storedVersions: [stored.name] } : {}),
    };
  },
  prepareForUpdate(object: DefinitionDraft, old) {
    const { status } = old as CustomDefinition;
    if (status) object.status = status;
    else delete object.status;
    const stored = object.spec?.versions?.find(({ storage }) => storage);
    const before = status?.storedVersions ?? [];
    if (stored && !before.includes(stored.name)) {
      object.status = { ...status, storedVersions: [...before, stored.name] };
    }
  },
  /** Metadata is not kept: so the server's own controllers take off their finalizer. */
  prepareForStatusUpdate(object: DefinitionDraft, old) {
    object.spec = (old as CustomDefinition).spec;
  },
  nameProblems: (name, isPrefix, object) => definitionNameProblems(name, isPrefix, object as CustomDefinition),
  validate(object) {
    const problems = definitionProblems(object as CustomDefinition);
    if (problems.length === 0) refuseWebhook(object);
    return problems;
  },
  validateUpdate(object, old) {
    const [next, before] = [object as CustomDefinition, old as CustomDefinition];
    // Finalizers and labels change more often than anything that could be wrong.
    if (isSameJson(next.spec, before.spec) && isSameJson(next.metadata.annotations, before.metadata.annotations)) {
      return [];
    }
    const problems = definitionUpdateProblems(next, before);
    if (problems.length === 0) refuseWebhook(object);
    return problems;
  },
  validateStatusUpdate: (object) => definitionStatusProblems(object as CustomDefinition),
  warnings: (object, old) => formatWarnings(object as CustomDefinition, old as CustomDefinition | undefined),
  generation: 'spec',
  resetFields: { main: [['f:status']], status: [['f:spec']] },
  allowsUnconditionalUpdate: false,
  markForDeletion(object: DefinitionDraft, world) {
    const { metadata } = object;
    if (!metadata.finalizers?.includes(cleanupFinalizer)) {
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
    }
    object.status = { ...object.status, conditions: withCondition(object.status?.conditions, pending, world.now()) };
  },
};

function withPort(conversion: NonNullable<DefinitionSpec['conversion']>): void {
  const { webhook } = conversion as { webhook?: { clientConfig?: { service?: { port?: number } } } };
  const service = webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
}

function refuseWebhook(object: KubeObject): void {
  const { spec, metadata } = object as CustomDefinition;
  if (spec.conversion?.strategy === 'Webhook') {
    throw notEmbedded(`the conversion webhook of CustomResourceDefinition ${metadata.name}`);
  }
}
