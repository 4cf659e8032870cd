import { TransportError } from './api-error.js';

/** There was no answer within the time that the caller gave, or the server gave up by it. To a caller a `TransportError`. */
export class DeadlineError extends TransportError {}
