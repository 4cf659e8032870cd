import { Environment } from '@marcbachmann/cel-js';
import type { DeclType } from './decl-type.js';
import { registerListFunctions } from './list-functions.js';
import { registerNetworkFunctions } from './network-functions.js';
import { registerPresenceTest } from './presence-test.js';
import { registerQuantityFunctions } from './quantity-functions.js';
import { registerTextFunctions } from './text-functions.js';
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
      for (const [escaped, field] of type.fields ?? [])
        fields[escaped] = registerType(environment, field.type, classes);
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
