import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** With TLS each takes twenty kilobytes and more, of whoever reaches the port, before anything is asked. */
const most = 1000;

interface Connection {
  readonly socket: Socket;
  /** What was asked last, until it is answered. */
  request?: IncomingMessage | undefined;
}

/**
 * Ends the connection that has had nothing to be answered for longest, as soon as there are too many.
 *
 * **Guarantees.** Nobody whose request is there waits in vain, however many others connect, and who sends what he asks at once is
 * asked for nothing else: one who keeps others out would have to connect a thousand times meanwhile.
 */
export function boundConnections(server: Server): void {
  /** By peer, since that is what a connection and the TLS within it have in common. Who has been idle for longest is first. */
  const connections = new Map<string, Connection>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    connections.set(peer, { socket });
    socket.once('close', () => {
      if (connections.get(peer)?.socket === socket) connections.delete(peer);
    });
    if (connections.size > most) endIdlest(connections);
  });
  server.on('request', (request, response) => {
    const peer = peerOf(request.socket);
    const connection = connections.get(peer);
    if (!connection) return;
    connection.request = request;
    response.once('close', () => {
      // Another may have been asked for on it before this one was answered.
      if (connection.request !== request) return;
      connection.request = undefined;
      // To the end.
      if (connections.get(peer) === connection && connections.delete(peer)) connections.set(peer, connection);
    });
  });
}

function endIdlest(connections: Map<string, Connection>): void {
  for (const [peer, { socket, request }] of connections) {
    // One that does not come to its end is nothing to answer.
    if (request?.complete) continue;
    connections.delete(peer);
    socket.destroy();
    return;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
