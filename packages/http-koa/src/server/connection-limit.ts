/** A limit on connections, shared out by remote address: excess ones get a single refusal. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Holdings, TransportError } from '@blockwork/http';
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
  const held = new Holdings();
  server.maxConnections = limit + SPARE;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (!held.take(address, 1, limit)) return;
    admitted.add(socket);
    socket.once('close', () => {
      admitted.delete(socket);
      held.giveBack(address, 1);
    });
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
