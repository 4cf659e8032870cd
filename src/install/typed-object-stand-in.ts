import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';

export class TypedObject extends ApiObject {
  constructor(
    scope: Construct,
    id: string,
    private readonly resource: ApiResource,
    private readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(scope, id, { apiVersion: resource.apiVersion, kind: resource.kind, metadata: body['metadata'] as object });
  }
  override toJson() {
    return { apiVersion: this.resource.apiVersion, kind: this.resource.kind, ...this.body };
  }
}
