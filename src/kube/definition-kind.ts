import type { ApiResource } from './api-resource.js';

/** The kind that defines kinds. */
export const definitionKind: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
