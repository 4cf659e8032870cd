import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import type { WriteRequest, Written } from '../api-server.js';
import { shapeOf } from '../built-in/built-in-shape.js';
import type { Shape } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { decode } from '../verbs/decode.js';
import {
  reviewAccess,
  reviewLocalAccess,
  reviewOwnAccess,
  reviewOwnRules,
  reviewSelf,
  reviewToken,
} from './reviews.js';
import { requestToken } from './token-request.js';
import type { Question, VirtualDesk, VirtualKind } from './virtual-kind.js';

const authentication = 'authentication.k8s.io/v1';
const authorization = 'authorization.k8s.io/v1';

/**
 * Kinds that are questions, by group, version and plural name: `authorization.k8s.io/v1/subjectaccessreviews`. That of
 * the subresource of ServiceAccounts is at `/v1/serviceaccounts/token`.
 */
export const virtualKinds: ReadonlyMap<string, VirtualKind> = new Map([
  virtualKind(authentication, 'SelfSubjectReview', false, reviewSelf),
  virtualKind(authentication, 'TokenReview', false, reviewToken),
  virtualKind(authorization, 'LocalSubjectAccessReview', true, reviewLocalAccess),
  virtualKind(authorization, 'SelfSubjectAccessReview', false, reviewOwnAccess),
  virtualKind(authorization, 'SelfSubjectRulesReview', false, reviewOwnRules),
  virtualKind(authorization, 'SubjectAccessReview', false, reviewAccess),
  virtualKind(authentication, 'TokenRequest', true, requestToken, '/v1/serviceaccounts/token'),
]);

/** Asks one of them, as a create does. `name` is that of the object whose subresource is asked. */
export function ask(
  kind: VirtualKind,
  body: Json,
  request: WriteRequest & Pick<Question, 'namespace' | 'name'>,
  desk: VirtualDesk,
): Written {
  const { caller, name, namespace } = request;
  const warnings: string[] = [];
  const object = decode(kind, whole(kind, body), { ...request, warnings });
  if (kind.namespaced) {
    if (object.metadata.namespace && object.metadata.namespace !== namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
  } else delete object.metadata.namespace;
  const { apiVersion, kind: kindName } = object;
  const question = { object, caller, ...(name ? { name } : {}), ...(namespace ? { namespace } : {}) };
  const answer = { kind: kindName, apiVersion, ...kind.answer(question, desk) };
  return { object: answer as unknown as KubeObject, created: true, warnings };
}

/** The server takes a body that does not say what it is for what belongs at the path. */
function whole({ group, version, kind }: VirtualKind, body: Json): Json {
  return isMap(body) ? { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...body } : body;
}

function virtualKind(
  apiVersion: string,
  kind: string,
  namespaced: boolean,
  answer: VirtualKind['answer'],
  key?: string,
): readonly [string, VirtualKind] {
  const [group, version, plural] = [groupOf(apiVersion), versionOf(apiVersion), `${kind.toLowerCase()}s`];
  let shape: Shape | undefined;
  return [
    key ?? `${apiVersion}/${plural}`,
    {
      group,
      version,
      kind,
      listKind: `${kind}List`,
      plural,
      singular: kind.toLowerCase(),
      shortNames: [],
      categories: [],
      namespaced,
      storage: `${plural}.${group}`,
      verbs: ['create'],
      subresources: { status: false },
      get shape() {
        shape ??= shapeOf(apiVersion, kind) as Shape;
        return shape;
      },
      rules: {},
      columns: [],
      selectableFields: {},
      answer,
    },
  ];
}
