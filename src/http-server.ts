/**
 * `createServer` of `node:http`, for what serves without TLS, and nothing else of it.
 *
 * An import makes Node look at all that a module exports, of which `WebSocket` and its like make it load the undici that
 * comes with it: from Node 22 on memory and a part of the start, in a process that uses none of it.
 */
export const { createServer } = process.getBuiltinModule('node:http');
