import { typeData } from './type-data.js';
import type { FieldExtras, KindRecord, TypeData, TypeKind, TypeRecord } from './type-record.js';

/** A type of the built-in API, with what it is made of. Read from the data when it is first asked for, and shared. */
export interface ApiType {
  readonly kind: TypeKind;
  /** As the server's messages name it: `v1.PodSpec`, `[]v1.Container`, `int32`. */
  readonly name: string;
  /** The name of its schema: `io.k8s.api.core.v1.PodSpec`. */
  readonly model?: string;
  /** Of the items of a list, of the values of a map, or of the schema within a union with one. */
  readonly elem: ApiType | undefined;
  readonly enum?: readonly string[];
  /** True for a struct that is owned and replaced as one. */
  readonly isAtomic: boolean;
  /** None, but for a struct. In the order of their names, as objects are shown. */
  readonly fields: readonly ApiField[];
  /** The same in the order in which the struct declares them. */
  readonly declared: readonly ApiField[];
}

export interface ApiField extends FieldExtras {
  readonly name: string;
  readonly type: ApiType;
  readonly isPointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly isRequired: boolean;
}

let parsed: TypeData | undefined;
const types: ApiType[] = [];

export function kindRecords(): readonly KindRecord[] {
  return data().kinds;
}

/** By the place in the data, as its records give it. */
export function apiType(index: number): ApiType {
  const known = types[index];
  if (known) return known;
  const record = data().types[index];
  if (record === undefined) throw new RangeError(`there is no type ${index} of a built-in kind`);
  const type = new RecordedType(record);
  types[index] = type;
  return type;
}

/** By the name of its schema, such as `io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions`. */
export function apiTypeNamed(model: string): ApiType {
  return apiType(data().types.findIndex((record) => `io.k8s.${record.model}` === model));
}

function data(): TypeData {
  parsed ??= JSON.parse(typeData) as TypeData;
  return parsed;
}

class RecordedType implements ApiType {
  readonly kind: TypeKind;
  readonly name: string;
  readonly model?: string;
  readonly enum?: readonly string[];
  readonly isAtomic: boolean;
  #fields: readonly ApiField[] | undefined;
  #declared: readonly ApiField[] | undefined;

  constructor(readonly record: TypeRecord) {
    this.kind = record.kind;
    this.name = nameOf(record);
    this.isAtomic = record.atomic ?? false;
    if (record.model !== undefined) this.model = `io.k8s.${record.model}`;
    if (record.enum) this.enum = record.enum;
  }

  get elem(): ApiType | undefined {
    return this.record.elem === undefined ? undefined : apiType(this.record.elem);
  }

  get fields(): readonly ApiField[] {
    this.#fields ??= [...this.declared].sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#fields;
  }

  get declared(): readonly ApiField[] {
    this.#declared ??= Object.entries(this.record.fields ?? {}).map(([name, [type, flags, extras]]) => ({
      name,
      type: apiType(type),
      isPointer: flags.includes('p'),
      omitEmpty: flags.includes('e'),
      omitZero: flags.includes('z'),
      isRequired: flags.includes('r'),
      ...extras,
    }));
    return this.#declared;
  }
}

function nameOf({ kind, name, model, elem }: TypeRecord): string {
  if (name !== undefined) return name;
  if (model !== undefined) return model.split('.').slice(-2).join('.');
  if (elem === undefined) return kind;
  return `${kind === 'list' ? '[]' : 'map[string]'}${apiType(elem).name}`;
}
