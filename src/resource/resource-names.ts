import { DefinitionError } from '../kube/errors.js';

/** What a kind is called in URLs, in `kubectl` and in YAML. */
export interface ResourceNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** What an author says of the names of a kind. */
export interface NamesInput {
  /** A DNS name of yours, such as `cache.example.com`. */
  readonly group: string;
  /** The version that is stored, and that `compose` sees: `v1`, `v1beta2`, `v1alpha1`. */
  readonly version: string;
  /** Begins with a capital, and has at most 59 characters: `Memcached`. */
  readonly kind: string;
  /** The name in URLs, in RBAC rules and of the CustomResourceDefinition. The English plural of `singular` if not given. */
  readonly plural?: string;
  /** What `kubectl` takes, too. The kind in lower case if not given. */
  readonly singular?: string;
  /** What `kubectl get` takes in place of the plural: `mc`. None if not given. */
  readonly shortNames?: readonly string[];
  /** Under which `kubectl get` shows it with other kinds: `all`. None if not given. */
  readonly categories?: readonly string[];
}

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

/** The names of a kind, given or derived. Throws `DefinitionError` for those that the API server would refuse. */
export function resourceNames(input: NamesInput): ResourceNames {
  const { kind, shortNames = [], categories = [] } = input;
  const singular = input.singular ?? kind.toLowerCase();
  const plural = input.plural ?? pluralOf(singular);

  if (!subdomain.test(input.group) || input.group.length > 253) refuse(kind, 'group', input.group, 'cache.example.com');
  if (!label.test(input.version)) refuse(kind, 'version', input.version, 'v1alpha1');
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) refuse(kind, 'kind', kind, 'Memcached');
  const listKind = `${kind}List`;
  if (listKind.length > 63) {
    throw new DefinitionError(`${kind} cannot be defined: its lists would be a ${listKind}, of over 63 characters`, {
      hint: 'give it a name of at most 59 characters',
    });
  }
  for (const [what, names] of Object.entries({ plural: [plural], singular: [singular], shortNames, categories })) {
    for (const name of names) if (!label.test(name)) refuse(kind, what, name, 'memcacheds');
  }
  const name = `${plural}.${input.group}`;
  if (name.length > 253) {
    throw new DefinitionError(
      `${kind} cannot be defined: its definition would be called ${name}, in over 253 characters`,
      {
        hint: 'give it a shorter group or plural',
      },
    );
  }
  return {
    kind,
    listKind,
    plural,
    singular,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

function pluralOf(singular: string): string {
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}

function refuse(kind: string, what: string, name: string, example: string): never {
  throw new DefinitionError(`${kind} cannot be defined: ${what} "${name}" is not a name that the API server accepts`, {
    hint: `write it like "${example}"`,
  });
}
