import wasmoon from 'wasmoon-lua5.1';
import type { Json, KubeObject } from '../../src/kube/manifest.js';

/** What Argo CD shows of an object. */
export interface Health {
  readonly status: string;
  readonly message: string;
}

const known = ['Healthy', 'Progressing', 'Suspended', 'Degraded', 'Missing', 'Unknown'];

/**
 * What a health check of `argocd-cm` says of `object`, run as Argo CD runs it: Lua 5.1, with the libraries that it opens unless
 * somebody set `useOpenLibs`, without `string` and `math`, and the object as `obj`; of what is being deleted it asks no script. Throws where Argo CD shows an error:
 * https://github.com/argoproj/argo-cd/blob/master/util/lua/lua.go
 */
export async function healthByLua(script: string, object: KubeObject): Promise<Health> {
  // https://github.com/argoproj/gitops-engine/blob/master/pkg/health/health.go
  if (object.metadata.deletionTimestamp !== undefined) return { status: 'Progressing', message: 'Pending deletion' };
  const lua = await wasmoon.Lua.create({ openStandardLibs: false });
  try {
    for (const library of [wasmoon.LuaLibraries.Base, wasmoon.LuaLibraries.Table]) lua.global.loadLibrary(library);
    lua.doStringSync(`obj = ${inLua(JSON.parse(JSON.stringify(object)))}`);
    const said = lua.doStringSync(script);
    const health = { status: said?.$get?.('status'), message: said?.$get?.('message') ?? '' };
    if (!known.includes(health.status)) throw new Error('Lua returned an invalid health status');
    return health;
  } finally {
    lua.global.close();
  }
}

/** As a table of Lua is written: the lists of the interpreter's own tables begin at 0, where no `ipairs` of Lua does. */
function inLua(value: Json): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `{${value.map(inLua).join(', ')}}`;
  if (typeof value === 'object') {
    return `{${Object.entries(value).map(([key, each]) => `[${quoted(key)}] = ${inLua(each)}`)}}`;
  }
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;
}
