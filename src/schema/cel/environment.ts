import { Environment } from '@marcbachmann/cel-js';
import { registerBytesOrder } from './bytes-order.js';
import { registerCalendar } from './calendar.js';
import { registerConversions } from './conversions.js';
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
  /** In which rules are evaluated, where `self` may hold nulls, which fit none of the types by which they are checked. */
  readonly lenient: Environment | undefined;
}

let shared: Environment | undefined;

/** What every rule shares: the functions of Kubernetes, on top of the language itself. */
function base(): Environment {
  if (shared === undefined) {
    shared = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
    registerPresenceTest(shared);
    registerBytesOrder(shared);
    registerListFunctions(shared);
    registerTextFunctions(shared);
    registerConversions(shared);
    shared.registerOperator('optional<V> == optional<V>', celEqual);
    registerTimeFunctions(shared);
    registerCalendar(shared);
    registerQuantityFunctions(shared);
    registerNetworkFunctions(shared);
  }
  return shared;
}

/** An environment in which `self` has the given type, and `oldSelf` too, or an optional of it. */
export function environmentOf(self: DeclType, optionalOldSelf: boolean): RuleEnvironment {
  const classes = new Map<DeclType, typeof CelObject>();
  const having = (typeName: TypeName) => {
    const environment = base().clone();
    const name = registerType({ environment, classes, names: new Map(), typeName }, self);
    environment.registerVariable('self', name);
    environment.registerVariable('oldSelf', optionalOldSelf ? `optional<${name}>` : name);
    return environment;
  };
  const environment = having((_, name) => name);
  const lenient = holdsNulls(self) ? having(({ schema }, name) => (schema.nullable ? 'dyn' : name)) : undefined;
  return { environment, classes, lenient };
}

/** True where an item of a list or a value of a map may be null. A field that is null is absent. */
function holdsNulls({ element, fields }: DeclType): boolean {
  if (element) return element.schema.nullable === true || holdsNulls(element);
  return [...(fields?.values() ?? [])].some(({ type }) => holdsNulls(type));
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

/** The name by which the items of a list, or the values of a map, are known, given that of their type. */
type TypeName = (type: DeclType, name: string) => string;

interface Registry {
  readonly environment: Environment;
  readonly classes: Map<DeclType, typeof CelObject>;
  readonly names: Map<DeclType, string>;
  readonly typeName: TypeName;
}

/** The name of the type in the environment, after all types below it are there. */
function registerType(registry: Registry, type: DeclType): string {
  const { environment, classes, names, typeName } = registry;
  const element = () => typeName(type.element!, registerType(registry, type.element!));
  switch (type.kind) {
    case 'list':
      return `list<${element()}>`;
    case 'map':
      return `map<string, ${element()}>`;
    case 'duration':
      return 'google.protobuf.Duration';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'object': {
      const fields: Record<string, string> = Object.create(null);
      for (const [escaped, { name, type: fieldType }] of type.fields ?? []) {
        fields[escaped] = registerType(registry, fieldType);
        if (selectedName(name) === escaped) fields[name] = fields[escaped];
      }
      const name = `Object${names.size}`;
      const ctor = classes.get(type) ?? class extends CelObject {};
      names.set(type, name);
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
