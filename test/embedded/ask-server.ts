import { Agent, request } from 'undici';
import type { Json } from '../../src/kube/manifest.js';
import type { ControlPlane } from '../cluster/control-plane.js';

export interface Answer {
  readonly code: number;
  /** Empty when the answer is no JSON object. */
  readonly body: { readonly [field: string]: Json };
}

export interface Question {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of the real API server to one request, as it is: a refusal is an answer too. */
export class AskServer {
  readonly #agent: Agent;

  constructor(private readonly plane: ControlPlane) {
    this.#agent = new Agent({ connect: { ca: plane.ca } });
  }

  async ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    question: Question = {},
  ): Promise<Answer> {
    const { body, contentType = 'application/json', token = this.plane.adminToken, headers = {} } = question;
    const { statusCode, body: answer } = await request(this.plane.url + path, {
      method,
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType, ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { code: statusCode, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}
