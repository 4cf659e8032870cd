const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/**
 * The name by which CEL knows a field, or undefined when it cannot: `x-y` is `x__dash__y`, `namespace` is
 * `__namespace__`. https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#escaping
 */
export function escapedName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (part) => `__${words[part]}__`);
}

const words: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };

/** Of these a bare name is a part of CEL itself, wherever it stands. */
const literals = new Set(['true', 'false', 'null', 'in']);

/** The escaped name of a field that `name` selects: of a reserved word itself, which the server understands behind a dot. */
export function selectedName(name: string): string {
  return reserved.has(name) && !literals.has(name) ? `__${name}__` : name;
}
