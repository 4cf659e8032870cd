import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** With TLS each takes twenty kilobytes and more, of whoever reaches the port, before anything is asked. */
const most = 1000;
/** No client that has work here asks again before it is answered. Without a bound each piece that is read holds two thousand requests. */
const mostAhead = 10;

interface Connection {
  readonly socket: Socket;
  /** What was asked, oldest first, until the answer is taken. */
  readonly asked: Map<IncomingMessage, ServerResponse>;
}

/**
 * Ends the connection that has had nothing to be answered for longest, as soon as there are too many. Who has been answered and does
 * not take it has nothing to be answered. A connection on which is asked on and on, without a look at the answers, is ended at once.
 *
 * **Guarantees.** Nobody whose request is there waits in vain, however many others connect, and who sends what he asks at once is
 * asked for nothing else: one who keeps others out would have to connect a thousand times meanwhile.
 */
export function boundConnections(server: Server): void {
  /** By peer, since that is what a connection and the TLS within it have in common. Who has been idle for longest is first. */
  const connections = new Map<string, Connection>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    connections.set(peer, { socket, asked: new Map() });
    socket.once('close', () => {
      if (connections.get(peer)?.socket === socket) connections.delete(peer);
    });
    if (connections.size > most) endIdlest(connections);
  });
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const peer = peerOf(request.socket);
    const connection = connections.get(peer);
    if (!connection || connection.socket.destroyed) return;
    const { socket, asked } = connection;
    if (asked.size === mostAhead) {
      socket.destroy();
      return;
    }
    asked.set(request, response);
    toEnd(connections, peer, connection);
    response.once('close', () => {
      asked.delete(request);
      toEnd(connections, peer, connection);
    });
    for (const handle of handlers) handle.call(server, request, response);
  });
}

function toEnd(connections: Map<string, Connection>, peer: string, connection: Connection): void {
  if (connections.get(peer) === connection && connections.delete(peer)) connections.set(peer, connection);
}

function endIdlest(connections: Map<string, Connection>): void {
  for (const [peer, { socket, asked }] of connections) {
    // One that does not come to its end is nothing to answer.
    if ([...asked].some(([{ complete }, { writableEnded }]) => complete && !writableEnded)) continue;
    connections.delete(peer);
    socket.destroy();
    return;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
