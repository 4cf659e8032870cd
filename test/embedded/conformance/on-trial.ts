import { Authorizer } from '../../../src/embedded/auth/authorizer.js';
import { Tokens } from '../../../src/embedded/auth/tokens.js';
import type { CustomDefinition } from '../../../src/embedded/custom/custom-definition.js';
import { customKind } from '../../../src/embedded/custom/custom-kind.js';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { Door } from '../../../src/embedded/http/door.js';
import { serve } from '../../../src/embedded/http/serve.js';
import type { ControlPlane } from '../../cluster/control-plane.js';
import { EmbeddedTarget } from './embedded-target.js';
import { customDefinitions } from './grammar/custom.js';
import { HttpTarget } from './http-target.js';
import type { Target } from './target.js';

/** A server on trial, and how to end it. */
export interface Trial {
  readonly target: Target;
  stop(): Promise<void>;
}

/** `real`: the real server against itself, which shows that what servers may choose is told apart from what they may not. */
export async function onTrial(name: string, plane: ControlPlane): Promise<Trial> {
  switch (name) {
    case 'real': {
      const target = new HttpTarget('the real server', plane.url, plane.adminToken, plane.ca);
      return { target, stop: () => target.close() };
    }
    case 'embedded':
      return { target: new EmbeddedTarget(door(), admin), stop: async () => {} };
    case 'http': {
      const server = await serve({ ...door(), plain: true });
      const target = new HttpTarget('the embedded server', server.url, token);
      return { target, stop: () => target.close().then(() => server.close()) };
    }
    default:
      throw new Error(`--against takes real, embedded or http, not ${name}`);
  }
}

/** The controllers stay away, as they do from the real server. */
function door(): Door {
  const server = new EmbeddedServer({ historyLimit: 1_000_000, controllers: false });
  const { verbs, kinds, clock, random, store } = server;
  for (const definition of customDefinitions as unknown as readonly CustomDefinition[]) {
    for (const { name: version } of definition.spec.versions) kinds.serve(customKind(definition, version));
  }
  const tokens = new Tokens({ store, clock, random, known: { [token]: admin } });
  const desk = { store, clock, authorizer: new Authorizer(store), tokens };
  return { verbs, kinds, clock, random, desk, onFault: (error) => process.stderr.write(`${String(error)}\n`) };
}

const token = 'the-token-of-the-admin';
