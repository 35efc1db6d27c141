/** Answers requests rejected by Node's parser in the form of every other refusal. */
import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { TransportError } from '@blockwork/http';
import type { HttpAnswer } from '@blockwork/http';

/** `answer` turns a refusal into a response. */
export function answerParserRefusals(server: Server, answer: (refusal: TransportError) => HttpAnswer): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // No response is possible on a reset connection, or after another response has started.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) socket.destroy(error);
    else socket.end(textOf(answer(refusalFor(error))));
  });
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answer(new TransportError('EXPECTATION_UNKNOWN'));
    const text = typeof body === 'string' ? body : '';
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    response.writeHead(status, { ...headers, ...length, Connection: 'close' }).end(text);
  });
}

/** Node keeps the response in progress on the socket. */
const hasBegun = (socket: Duplex): boolean =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;

function refusalFor(error: NodeJS.ErrnoException): TransportError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new TransportError('REQUEST_TIMEOUT', { cause: error });
    case 'HPE_HEADER_OVERFLOW':
      return new TransportError('HEADERS_TOO_LARGE', { facts: { limit: maxHeaderSize }, cause: error });
    default: {
      const reason = error.message.replace(/^Parse Error: /, '');
      return new TransportError('REQUEST_MALFORMED', { facts: { reason }, cause: error });
    }
  }
}

/** The raw response, which closes the connection. */
function textOf({ status, headers, body }: HttpAnswer): string {
  const text = typeof body === 'string' ? body : '';
  const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`;
}
