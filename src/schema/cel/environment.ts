import { Environment } from '@marcbachmann/cel-js';
import { registerCalendar } from './calendar.js';
import type { DeclType } from './decl-type.js';
import { selectedName } from './escape.js';
import { registerListFunctions } from './list-functions.js';
import { registerNetworkFunctions } from './network-functions.js';
import { registerPresenceTest } from './presence-test.js';
import { registerQuantityFunctions } from './quantity-functions.js';
import { registerTextFunctions } from './text-functions.js';
import { registerTimeFunctions } from './time-functions.js';
import { CelObject, celEqual, type ObjectClasses } from './values.js';

/** CEL as the API server offers it to validation rules, with one type for `self`. */
export interface RuleEnvironment {
  readonly environment: Environment;
  readonly classes: ObjectClasses;
}

let shared: Environment | undefined;

/** What every rule shares: the functions of Kubernetes, on top of the language itself. */
function base(): Environment {
  if (shared === undefined) {
    shared = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
    registerPresenceTest(shared);
    registerListFunctions(shared);
    registerTextFunctions(shared);
    registerTimeFunctions(shared);
    registerCalendar(shared);
    registerQuantityFunctions(shared);
    registerNetworkFunctions(shared);
  }
  return shared;
}

/** An environment in which `self` has the given type, and `oldSelf` too, or an optional of it. */
export function environmentOf(self: DeclType, optionalOldSelf: boolean): RuleEnvironment {
  const environment = base().clone();
  const classes = new Map<DeclType, typeof CelObject>();
  const name = registerType(environment, self, classes);
  environment.registerVariable('self', name);
  environment.registerVariable('oldSelf', optionalOldSelf ? `optional<${name}>` : name);
  return { environment, classes };
}

/** An environment in which an expression of an admission policy has its variables, of which no types are known. */
export function policyEnvironment(): Environment {
  const environment = base().clone();
  for (const name of ['object', 'oldObject', 'request']) environment.registerVariable(name, 'dyn');
  return environment;
}

/** What an AdmissionRequest has, by type: https://kubernetes.io/docs/reference/config-api/apiserver-admission.v1/ */
const requestTypes = {
  RequestKind: { group: 'string', version: 'string', kind: 'string' },
  RequestResource: { group: 'string', version: 'string', resource: 'string' },
  RequestUser: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  Request: {
    kind: 'RequestKind',
    resource: 'RequestResource',
    subResource: 'string',
    requestKind: 'RequestKind',
    requestResource: 'RequestResource',
    requestSubResource: 'string',
    name: 'string',
    namespace: 'string',
    operation: 'string',
    userInfo: 'RequestUser',
    dryRun: 'bool',
    options: 'dyn',
  },
};

/** The same with the type of `request`, to see what is asked of it that it does not have. Nothing can be evaluated in it. */
export function typedPolicyEnvironment(): Environment {
  const environment = base().clone();
  for (const [name, fields] of Object.entries(requestTypes)) {
    environment.registerType(name, { ctor: class extends CelObject {}, fields });
  }
  for (const name of ['object', 'oldObject']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('request', 'Request');
  return environment;
}

/** The name of the type in the environment, after all types below it are there. */
function registerType(environment: Environment, type: DeclType, classes: Map<DeclType, typeof CelObject>): string {
  switch (type.kind) {
    case 'list':
      return `list<${registerType(environment, type.element!, classes)}>`;
    case 'map':
      return `map<string, ${registerType(environment, type.element!, classes)}>`;
    case 'duration':
      return 'google.protobuf.Duration';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'object': {
      const fields: Record<string, string> = Object.create(null);
      for (const [escaped, { name, type: fieldType }] of type.fields ?? []) {
        fields[escaped] = registerType(environment, fieldType, classes);
        if (selectedName(name) === escaped) fields[name] = fields[escaped];
      }
      const name = `Object${classes.size}`;
      const ctor = class extends CelObject {};
      classes.set(type, ctor);
      environment.registerType(name, { ctor, fields });
      environment.registerOperator(`${name} == ${name}`, celEqual);
      environment.registerOperator(`${name} == null`, (value: unknown) => value === null);
      return name;
    }
    default:
      return type.kind;
  }
}
