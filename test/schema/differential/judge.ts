import { Agent, request } from 'undici';
import type { ControlPlane } from '../../cluster/control-plane.js';
import { eventually } from '../../cluster/eventually.js';
import { group, namesOf } from './subject.js';

/** What the API server says: accepted, or one line a problem. */
export interface Verdict {
  readonly accepted: boolean;
  /** `field: message`, in order of the alphabet. */
  readonly lines: readonly string[];
  readonly fields: readonly string[];
}

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

interface Answer {
  readonly message?: string;
  readonly metadata?: { readonly resourceVersion?: string };
  readonly spec?: unknown;
  readonly details?: { readonly causes?: readonly Cause[] };
}

/** The API server as a judge: everything is a dry run under strict field validation, unless it says otherwise. */
export class Judge {
  private readonly agent: Agent;

  constructor(private readonly plane: ControlPlane) {
    this.agent = new Agent({ connect: { ca: plane.ca } });
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  async define(definition: { readonly metadata: { readonly name: string } }): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { code, body } = await this.send('POST', path, definition);
    if (code !== 201) throw new Error(`${definition.metadata.name} was refused: ${body.message}`);
  }

  async onDefinition(definition: unknown): Promise<Verdict> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
    const { code, body } = await this.send('POST', path, definition);
    return verdictOf(code, body);
  }

  async onCreate(kind: string, object: unknown): Promise<Verdict & { readonly stored: unknown }> {
    const { code, body } = await this.send('POST', `${pathOf(kind)}?dryRun=All&fieldValidation=Strict`, object);
    return { ...verdictOf(code, body), stored: body.spec };
  }

  /** Creates `before` for good, then tries to replace it by `after`. */
  async onUpdate(kind: string, before: { metadata: { name: string } }, after: { metadata: object }): Promise<Verdict> {
    const created = await this.send('POST', pathOf(kind), before);
    if (created.code !== 201) throw new Error(`${before.metadata.name} was refused: ${created.body.message}`);
    const { resourceVersion } = created.body.metadata ?? {};
    const path = `${pathOf(kind)}/${before.metadata.name}?dryRun=All&fieldValidation=Strict`;
    const { code, body } = await this.send('PUT', path, { ...after, metadata: { ...after.metadata, resourceVersion } });
    return verdictOf(code, body);
  }

  /** Resolves once objects of a kind can be created. */
  async served(kind: string): Promise<void> {
    await eventually(async () => {
      if ((await this.send('GET', pathOf(kind))).code !== 200) throw new Error(`${kind} is not served`);
    });
  }

  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<{ code: number; body: Answer }> {
    const response = await request(`${this.plane.url}${path}`, {
      method,
      dispatcher: this.agent,
      headers: { authorization: `Bearer ${this.plane.adminToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { code: response.statusCode, body: (await response.body.json()) as Answer };
  }
}

function pathOf(kind: string): string {
  return `/apis/${group}/v1/namespaces/default/${namesOf(kind).plural}`;
}

function verdictOf(code: number, { message = '', details }: Answer): Verdict {
  if (code < 300) return { accepted: true, lines: [], fields: [] };
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/g)];
  if (unknown.length > 0) {
    return {
      accepted: false,
      lines: unknown.map(([line]) => line).sort(),
      fields: unknown.map(([, field]) => field!).sort(),
    };
  }
  const causes = (details?.causes ?? []).filter(
    ({ message: words = '' }) => !/validation rules were not checked/.test(words),
  );
  if (causes.length === 0) throw new Error(`${code}: ${message}`);
  const named = causes.map(({ field = '', message: words = '' }) => ({ field: fieldOf(field, words), words }));
  return {
    accepted: false,
    lines: [...new Set(named.map(({ field, words }) => `${field}: ${words}`))].sort(),
    fields: [...new Set(named.map(({ field }) => field))].sort(),
  };
}

/** For a number beyond its format the server leaves out the field, though its words have it. */
function fieldOf(field: string, words: string): string {
  return field === '<nil>' ? (/^Invalid value: "": Checked value .* in (\S+)$/.exec(words)?.[1] ?? field) : field;
}
