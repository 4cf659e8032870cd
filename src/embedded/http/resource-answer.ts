// Longer than most files: every method of every resource is told apart here, in one place.

import type { KubeObject } from '../../kube/manifest.js';
import type { Address, Event, UnreadPatch, WriteRequest, Written } from '../api-server.js';
import { refuseUnserved } from '../built-in/built-in-kinds.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, methodNotAllowed, noSuchPath, notEmbedded, StatusError } from '../status-error.js';
import { selectorOf } from '../verbs/list.js';
import { type Form, formOf, namesServedType } from './accept.js';
import type { Answer } from './answer.js';
import { attributesOf } from './attributes.js';
import { deleteOptionsOf } from './delete-options.js';
import { answersStatus, successOf } from './deleted.js';
import type { Asked, Door } from './door.js';
import { noRepresentation, notAcceptable, notSupported } from './http-status.js';
import { PageNotFound } from './page.js';
import { patchTypeOf, readPatch } from './patch-body.js';
import { given } from './query.js';
import { askQuestion, questionAt } from './question.js';
import { type Expected, readObject } from './request-body.js';
import { checkPlace, checkSubresource, isOwnGroup } from './resource-paths.js';
import type { ResourceRoute } from './route.js';
import { scaleOf } from './scale-kind.js';
import { type Contents, contentsOf } from './table.js';
import { listAs, objectAs, type TransformOptions } from './transformed.js';
import { isTyped } from './typed-kind.js';
import { type Encode, plainLine } from './watch-stream.js';
import { tableLines } from './watch-table.js';
import { writeOptionsOf } from './write-options.js';

/** A watch that stands: its events, and how each is written. */
export interface WatchAnswer {
  readonly events: AsyncIterable<Event>;
  readonly encode: Encode;
}

type Served = 'status' | 'scale' | 'finalize' | 'binding';
const served: readonly string[] = ['status', 'scale', 'finalize', 'binding'] satisfies readonly Served[];

/** Answers a request about objects: https://kubernetes.io/docs/reference/using-api/api-concepts/#api-verbs */
export async function answerResource(door: Door, route: ResourceRoute, asked: Asked): Promise<Answer | WatchAnswer> {
  door.desk.authorizer.authorize(asked.caller, attributesOf(route, asked));
  if (route.watches) {
    throw notEmbedded('the path prefix /watch/, which was deprecated for the parameter watch=true,');
  }
  const question = questionAt(route);
  if (question) return askQuestion(door, question, route, asked);
  const kind = door.kinds.resource(route.group, route.version, route.plural);
  if (!kind) {
    refuseUnserved(route);
    throw isOwnGroup(door, route.group) ? noSuchPath() : new PageNotFound();
  }
  checkPlace(kind, route, asked.method);
  try {
    checkSubresource(kind, route);
    return await new Request(door, kind, route, asked).answer();
  } catch (error) {
    // Who is refused is warned all the same.
    if (error instanceof StatusError && kind.warnings) error.warnings = [...kind.warnings, ...error.warnings];
    throw error;
  }
}

class Request {
  readonly #form: Form;
  readonly #subresource: Served | undefined;

  constructor(
    private readonly door: Door,
    private readonly kind: ServedKind,
    private readonly route: ResourceRoute,
    private readonly asked: Asked,
  ) {
    this.#form = this.#negotiated();
    this.#subresource = served.find((name) => name === route.subresource) as Served | undefined;
  }

  async answer(): Promise<Answer | WatchAnswer> {
    const { name } = this.route;
    const method = this.#method();
    if (name === undefined) {
      if (method === 'GET') return this.#isWatch() ? this.#watch() : this.#list();
      if (method === 'POST') return this.#create();
      if (method === 'DELETE') return this.#deleteCollection();
    } else {
      if (method === 'GET' && this.#subresource !== 'finalize' && this.#subresource !== 'binding')
        return this.#get(name);
      if (method === 'POST' && this.#subresource === 'binding') return this.#bind(name);
      if (method === 'PUT' && this.#subresource !== 'binding') return this.#update(name);
      if (method === 'PATCH' && (this.#subresource === undefined || this.#isPart())) return this.#patch(name);
      if (method === 'DELETE' && this.#subresource === undefined) return this.#delete(name);
    }
    throw this.#refusedMethod();
  }

  #isPart(): boolean {
    return this.#subresource === 'status' || this.#subresource === 'scale';
  }

  /** Custom resources answer HEAD; the server's own kinds do not. */
  #method(): string {
    const { method } = this.asked;
    return method === 'HEAD' && !isTyped(this.kind) ? 'GET' : method;
  }

  #refusedMethod(): Error {
    if (isTyped(this.kind)) return methodNotAllowed();
    const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
    return notSupported(verbs[this.asked.method] ?? '', this.kind.group, this.kind.plural);
  }

  #negotiated(): Form {
    const { accept } = this.asked;
    if (isTyped(this.kind) && !namesServedType(accept)) throw noRepresentation();
    const form = formOf(accept);
    if (this.#isWatch() && form?.format !== 'json') throw notAcceptable(['application/json;stream=watch']);
    if (!form) throw notAcceptable();
    return form;
  }

  #isWatch(): boolean {
    const { method, query } = this.asked;
    return method === 'GET' && this.route.name === undefined && query.flag('watch') === true;
  }

  #get(name: string): Answer {
    const subresource = this.#subresource as 'status' | 'scale' | undefined;
    const { caller, query } = this.asked;
    if (query.flag('export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
    const request = {
      caller,
      ...given('subresource', subresource),
      ...given('resourceVersion', query.text('resourceVersion') || undefined),
    };
    return this.#object(200, this.door.verbs.get(this.kind, this.#address(name), request));
  }

  #list(): Answer {
    const { caller, query } = this.asked;
    const listed = this.door.verbs.list(this.kind, { ...this.#scope(), ...query.selection() }, { caller });
    return { code: 200, body: listAs(this.kind, listed, this.#options()), ...this.#said() };
  }

  #watch(): WatchAnswer {
    const { caller, query, signal } = this.asked;
    const selection = query.selection();
    // As the server does it, so that not everybody comes back at once.
    const timeoutSeconds = selection.timeoutSeconds || Math.ceil(1800 * (1 + this.door.random()));
    const encode = this.#encode();
    const events = this.door.verbs.watch(
      this.kind,
      { ...this.#scope(), ...selection, timeoutSeconds, signal },
      { caller },
    );
    return { events, encode };
  }

  #encode(): Encode {
    const { as } = this.#form;
    return as ? tableLines(this.kind, as, this.#contents(), () => this.door.clock.now()) : plainLine;
  }

  async #create(): Promise<Answer> {
    const request = this.#writeRequest('CreateOptions');
    const { value, strict, text } = readObject(await this.#body(), this.asked.contentType, this.#expected());
    const written = this.door.verbs.create(this.kind, this.route.namespace, value, {
      ...request,
      strictProblems: strict,
      ...given('text', text),
    });
    return this.#written(written);
  }

  async #bind(name: string): Promise<Answer> {
    const request = this.#writeRequest('CreateOptions');
    const expected = { kind: 'Binding', isTyped: true };
    const { value, strict } = readObject(await this.#body(), this.asked.contentType, expected);
    const { metadata = {} } = value as { readonly metadata?: { readonly name?: string } };
    if (metadata.name !== undefined && metadata.name !== name) {
      throw badRequest('name in URL does not match name in Binding object');
    }
    const body = { ...(value as object), metadata: { ...metadata, name } };
    const { warnings } = this.door.verbs.create(this.kind, this.route.namespace, body, {
      ...request,
      strictProblems: strict,
    });
    return {
      code: 201,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
      warnings,
    };
  }

  async #update(name: string): Promise<Answer> {
    const request = this.#writeRequest('UpdateOptions');
    const { value, strict, text } = readObject(await this.#body(), this.asked.contentType, this.#expected());
    const written = this.door.verbs.update(this.kind, this.#address(name), value, {
      ...request,
      strictProblems: strict,
      ...given('text', text),
    });
    return this.#written(written);
  }

  #expected(): Expected {
    return this.#subresource === 'scale'
      ? { kind: 'Scale', isTyped: true }
      : { kind: this.kind.kind, isTyped: isTyped(this.kind) };
  }

  async #patch(name: string): Promise<Answer> {
    const type = patchTypeOf(this.asked.contentType, this.kind);
    const isApply = type === 'apply';
    const request = this.#writeRequest('PatchOptions', isApply);
    const text = (await this.#body()).toString();
    const patch: UnreadPatch = { isApply, read: () => readPatch(text, type, request.fieldValidation === 'Ignore') };
    return this.#written(this.door.verbs.patch(this.kind, this.#address(name), patch, request));
  }

  async #delete(name: string): Promise<Answer> {
    const options = deleteOptionsOf(await this.#body(), this.asked.contentType, this.asked.query);
    const { caller } = this.asked;
    const deleted = this.door.verbs.delete(this.kind, this.#address(name), options, { caller });
    return answersStatus(this.kind, deleted)
      ? { code: 200, body: successOf(this.kind, deleted.object), ...this.#said(deleted.warnings) }
      : this.#object(options.isOldCascade && !deleted.isGone ? 202 : 200, deleted.object, deleted.warnings);
  }

  async #deleteCollection(): Promise<Answer> {
    const { caller, query, contentType } = this.asked;
    const selection = { ...this.#scope(), ...query.selection() };
    // Before the server looks at how, it looks at what.
    selectorOf(this.kind, selection);
    const options = deleteOptionsOf(await this.#body(), contentType, query);
    const listed = this.door.verbs.deleteCollection(this.kind, selection, options, { caller });
    return { code: 200, body: listAs(this.kind, listed, this.#options()), ...this.#said(listed.warnings) };
  }

  #writeRequest(options: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions', isApply = false): WriteRequest {
    const { caller, query, userAgent } = this.asked;
    const request = writeOptionsOf(query, options, userAgent, isApply);
    return { caller, ...request, ...given('subresource', this.#subresource) };
  }

  #body(): Promise<Buffer> {
    return this.asked.body();
  }

  #written({ object, created, warnings }: Written): Answer {
    return this.#object(created ? 201 : 200, object, warnings);
  }

  #object(code: number, object: KubeObject, warnings: readonly string[] = []): Answer {
    const kind = this.#subresource === 'scale' ? scaleOf(this.kind) : this.kind;
    return { code, body: objectAs(kind, object, this.#options()), ...this.#said(warnings) };
  }

  #said(warnings: readonly string[] = []): Pick<Answer, 'format' | 'warnings'> {
    return { format: this.#form.format, warnings: [...(this.kind.warnings ?? []), ...warnings] };
  }

  #options(): TransformOptions {
    const { as } = this.#form;
    return { ...given('as', as), contents: this.#contents(), now: this.door.clock.now() };
  }

  #contents(): Contents {
    return this.#form.as?.kind === 'Table' ? contentsOf(this.asked.query.text('includeObject')) : 'Metadata';
  }

  #scope(): { readonly namespace?: string } {
    return given('namespace', this.route.namespace);
  }

  #address(name: string): Address {
    return { ...this.#scope(), name };
  }
}
