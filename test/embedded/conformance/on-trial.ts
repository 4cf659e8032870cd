import type { CustomDefinition } from '../../../src/embedded/custom/custom-definition.js';
import { customKind } from '../../../src/embedded/custom/custom-kind.js';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
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
    case 'embedded': {
      const { verbs, kinds, clock, random } = new EmbeddedServer({ historyLimit: 1_000_000, controllers: false });
      for (const definition of customDefinitions as unknown as readonly CustomDefinition[]) {
        for (const { name: version } of definition.spec.versions) kinds.serve(customKind(definition, version));
      }
      const target = new EmbeddedTarget({ verbs, kinds, clock, random, authenticate: () => admin }, admin);
      return { target, stop: () => target.close() };
    }
    default:
      throw new Error(`--against takes real, embedded or http, not ${name}`);
  }
}
