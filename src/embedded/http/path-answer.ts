import { createHash } from 'node:crypto';
import { methodNotAllowed, noSuchPath, notEmbedded } from '../status-error.js';
import { discoveryFormOf, formOf } from './accept.js';
import { aggregatedDiscovery } from './aggregated-discovery.js';
import type { Answer } from './answer.js';
import { apiGroup, apiResourceList, type Group, groupsOf } from './discovery.js';
import type { Asked, Door } from './door.js';
import { noRepresentation, notAcceptable } from './http-status.js';
import { OpenApi } from './openapi.js';
import { oldSchemas } from './openapi-v2.js';
import { PageNotFound } from './page.js';
import { isOwnGroup } from './resource-paths.js';

/** Asked for by clients that decide by it what they may use. */
const serverVersion = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'kilter',
  platform: 'javascript/embedded',
};

/** What the real server tells of itself, beside objects, and this one does not. */
const notHere: ReadonlySet<string> = new Set(['.well-known', 'debug', 'flagz', 'logs', 'metrics', 'openid', 'statusz']);

const healths = ['healthz', 'livez', 'readyz'];

/** Paths that belong to no kind: versions, health, and what is served. */
export class PathAnswers {
  readonly #openApi: OpenApi;
  #groups: readonly Group[] | undefined;

  constructor(
    private readonly door: Door,
    private readonly address: () => string,
  ) {
    this.#openApi = new OpenApi(door);
    door.kinds.listen(() => {
      this.#groups = undefined;
    });
  }

  answer(parts: readonly string[], asked: Asked): Answer {
    const { caller, method, path } = asked;
    const verb = method === 'HEAD' ? 'head' : method.toLowerCase();
    this.door.desk.authorizer.authorize(caller, { verb, path });
    const [first = '', ...rest] = parts;
    if (healths.includes(first)) return health(first, rest, asked);
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    switch (first) {
      case '':
        if (rest.length > 0) throw new PageNotFound();
        return json(asked, { paths: this.#paths() });
      case 'version':
        if (rest.length > 0) throw new PageNotFound();
        if (formOf(asked.accept, false)?.format !== 'json') throw noRepresentation(['application/json']);
        return { code: 200, body: serverVersion };
      case 'api':
      case 'apis':
        return this.#discovery(first, rest, asked);
      case 'openapi':
        return this.#schemas(rest, asked);
      default:
        if (notHere.has(first)) throw notEmbedded(path);
        throw new PageNotFound();
    }
  }

  get #all(): readonly Group[] {
    this.#groups ??= groupsOf(this.door.kinds);
    return this.#groups;
  }

  #discovery(root: 'api' | 'apis', rest: readonly string[], asked: Asked): Answer {
    const groups = this.#all.filter(({ name }) => (root === 'api') === (name === ''));
    if (rest.length === 0) return this.#root(root, groups, asked);
    const [name, version, ...more] = root === 'api' ? ['', ...rest] : rest;
    const group = groups.find((each) => each.name === name);
    const unknown = () =>
      version !== undefined && isOwnGroup(this.door, name ?? '') ? noSuchPath() : new PageNotFound();
    if (!group || more.length > 0) throw unknown();
    if (version === undefined) return json(asked, { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) });
    const found = group.versions.find((each) => each.version === version);
    if (!found) throw unknown();
    return json(asked, apiResourceList(found));
  }

  #root(root: 'api' | 'apis', groups: readonly Group[], asked: Asked): Answer {
    const form = discoveryFormOf(asked.accept);
    if (form === 'aggregated') {
      const body = aggregatedDiscovery(groups);
      const etag = `"${createHash('sha512').update(JSON.stringify(body)).digest('hex').toUpperCase()}"`;
      const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const headers = { 'Content-Type': type, ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
      return { code: 200, body, headers };
    }
    if (root === 'apis') return json(asked, { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) });
    const versions = groups.flatMap((group) => group.versions.map(({ version }) => version));
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: this.address() }];
    return json(asked, { kind: 'APIVersions', versions, serverAddressByClientCIDRs });
  }

  #schemas([version, ...rest]: readonly string[], asked: Asked): Answer {
    if (version === 'v2' && rest.length === 0) return { code: 200, ...oldSchemas(asked.accept) };
    if (version !== 'v3') throw new PageNotFound();
    const path = rest.join('/');
    if (path === '') return { code: 200, body: this.#openApi.index() };
    const document = this.#openApi.document(path);
    if (!document) throw new PageNotFound();
    const hash = asked.query.text('hash');
    if (hash !== undefined && hash !== document.hash) {
      return { code: 301, body: '', headers: { Location: `/openapi/v3/${path}?hash=${document.hash}` } };
    }
    if (formOf(asked.accept, false)?.format !== 'json') throw notAcceptable(['application/json']);
    return { code: 200, body: document.body, headers: { ETag: `"${document.hash}"`, Vary: 'Accept' } };
  }

  #paths(): string[] {
    const served = this.#all.flatMap(({ name, versions }) => {
      const root = name === '' ? '/api' : `/apis/${name}`;
      return [root, ...versions.map(({ version }) => `${root}/${version}`)];
    });
    const others = ['/apis', '/openapi/v3', '/version', ...healths.flatMap((each) => [`/${each}`, `/${each}/ping`])];
    return [...served, ...others].sort();
  }
}

function json(asked: Asked, body: object): Answer {
  const form = formOf(asked.accept, false);
  if (!form) throw notAcceptable();
  return { code: 200, body, format: form.format };
}

/** There is nothing that could be ill while this answers. */
function health(name: string, [check, ...more]: readonly string[], { query }: Asked): Answer {
  if (more.length > 0 || (check !== undefined && check !== 'ping')) throw new PageNotFound();
  const isVerbose = check === undefined && query.text('verbose') !== undefined;
  return { code: 200, body: isVerbose ? `[+]ping ok\n${name} check passed\n` : 'ok' };
}
