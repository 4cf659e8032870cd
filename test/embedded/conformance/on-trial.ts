import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { Door } from '../../../src/embedded/http/door.js';
import { serve } from '../../../src/embedded/http/serve.js';
import type { ControlPlane } from '../../cluster/control-plane.js';
import { EmbeddedTarget } from './embedded-target.js';
import { HttpTarget } from './http-target.js';
import { installDefinitions } from './install-definitions.js';
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
    case 'embedded': {
      const server = startEmbedded();
      const target = new EmbeddedTarget(doorOf(server), admin);
      await installDefinitions(target);
      return { target, stop: async () => server.stop() };
    }
    case 'http': {
      const server = startEmbedded();
      const http = await serve({ ...doorOf(server), plain: true });
      const target = new HttpTarget('the embedded server', http.url, token);
      await installDefinitions(target);
      return {
        target,
        async stop() {
          await target.close();
          await http.close();
          server.stop();
        },
      };
    }
    default:
      throw new Error(`--against takes real, embedded or http, not ${name}`);
  }
}

const token = 'the-token-of-the-admin';

/** The controllers stay away, as they do from the real server. */
function startEmbedded(): EmbeddedServer {
  return new EmbeddedServer({
    historyLimit: 1_000_000,
    controllers: false,
    keepsUnenforced: true,
    tokens: { [token]: admin },
  });
}

function doorOf({ verbs, kinds, clock, random, desk }: EmbeddedServer): Door {
  return { verbs, kinds, clock, random, desk, onFault: (error) => process.stderr.write(`${String(error)}\n`) };
}
