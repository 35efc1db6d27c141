/** A limit on connections: excess ones get a single refusal. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TransportError } from '@blockwork/http';
import type { HttpAnswer } from '@blockwork/http';

/** Connections beyond the limit that may still receive a refusal; Node drops further ones. */
const SPARE = 100;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** `refuse` turns a refusal into a response. Returns a listener that wraps `listener`. */
export function limitConnections(
  server: Server,
  limit: number,
  listener: Listener,
  refuse: (refusal: TransportError) => HttpAnswer,
): Listener {
  const admitted = new Set<Socket>();
  server.maxConnections = limit + SPARE;
  server.on('connection', (socket: Socket) => {
    if (admitted.size >= limit) return;
    admitted.add(socket);
    socket.once('close', () => admitted.delete(socket));
  });
  return (request, response) => {
    if (admitted.has(request.socket)) {
      listener(request, response);
      return;
    }
    const headers = { 'Retry-After': '1', Connection: 'close' };
    const answer = refuse(new TransportError('TOO_MANY_CONNECTIONS', { facts: { limit }, headers }));
    response.writeHead(answer.status, answer.headers).end(typeof answer.body === 'string' ? answer.body : '');
  };
}
