import type { Operation } from './operation.js';
import type { OpenWatch, Outcome } from './outcome.js';

/** An API server, in whatever way it is spoken to. Operations come with all symbols replaced. */
export interface Target {
  readonly name: string;
  send(operation: Operation): Promise<Outcome>;
  watch(operation: Operation): Promise<OpenWatch | Outcome>;
  close(): Promise<void>;
}
