/** In which form a caller wants the answer. */
export interface Form {
  readonly format: 'json' | 'yaml';
  readonly as?: Transform;
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables */
export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Of `meta.k8s.io`. */
  readonly version: string;
}

interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: Readonly<Record<string, string>>;
}

const subtypes = ['json', 'yaml'] as const;

/**
 * The first form of an `Accept` header that is served, best quality first. Protobuf is not served, so that a list that
 * begins with it goes on to JSON. Undefined: none. What is no object has no transforms.
 */
export function formOf(accept: string | undefined, hasTransforms = true): Form | undefined {
  if (!accept) return { format: 'json' };
  for (const clause of clausesOf(accept)) {
    const format = subtypes.find((subtype) => matches(clause, subtype));
    if (!format) continue;
    const { as: kind, g: group, v: version, stream } = clause.parameters;
    if (stream !== undefined && stream !== 'watch') continue;
    if (kind === undefined && group === undefined && version === undefined) return { format };
    const as = transformOf(kind, group, version);
    if (as && hasTransforms) return { format, as };
  }
  return undefined;
}

/** True when the header names JSON or YAML, or everything, whatever parameters they have. */
export function namesServedType(accept: string | undefined): boolean {
  if (!accept) return true;
  return clausesOf(accept).some(
    ({ type, subtype }) =>
      (type === '*' && subtype === '*') || (type === 'application' && (subtype === 'json' || subtype === 'yaml')),
  );
}

/** The version of aggregated discovery that is asked for first, when it comes before plain JSON. */
export function discoveryFormOf(accept: string | undefined): 'aggregated' | 'plain' | undefined {
  for (const clause of clausesOf(accept ?? 'application/json')) {
    if (!matches(clause, 'json')) continue;
    const { as, g, v } = clause.parameters;
    if (as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && v === 'v2') return 'aggregated';
    if (as === undefined) return 'plain';
  }
  return undefined;
}

function transformOf(kind = '', group = '', version = ''): Transform | undefined {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  return kind === 'Table' || kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList'
    ? { kind, version }
    : undefined;
}

function matches({ type, subtype }: Clause, served: string): boolean {
  return (type === 'application' && (subtype === served || subtype === '*')) || (type === '*' && subtype === '*');
}

function clausesOf(accept: string): Clause[] {
  return accept
    .split(',')
    .map(clauseOf)
    .sort((a, b) => b.quality - a.quality || stars(a) - stars(b));
}

function stars({ type, subtype }: Clause): number {
  return (type === '*' ? 2 : 0) + (subtype === '*' ? 1 : 0);
}

function clauseOf(text: string): Clause {
  const [range = '', ...settings] = text.split(';').map((part) => part.trim());
  const [type = '', subtype = range === '*' ? '*' : ''] = range.toLowerCase().split('/');
  const parameters = Object.fromEntries(
    settings.map((setting) => {
      const equals = setting.indexOf('=');
      return equals < 0 ? [setting, ''] : [setting.slice(0, equals).trim(), setting.slice(equals + 1).trim()];
    }),
  );
  const { q, ...others } = parameters;
  const quality = q === undefined ? 1 : Number(q);
  return { type, subtype, quality: Number.isFinite(quality) ? quality : 1, parameters: others };
}
