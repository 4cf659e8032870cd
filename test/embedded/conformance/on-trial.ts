import type { ControlPlane } from '../../cluster/control-plane.js';
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
    default:
      throw new Error(`--against takes real, embedded or http, not ${name}`);
  }
}
