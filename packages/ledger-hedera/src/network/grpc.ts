/** Unary gRPC calls over HTTP/2, as far as the network's nodes need them: one message there, one back. */
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';

/** No valid answer came: the call may have had its effect or not. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Answers of nodes are small; a larger one is not read. */
const ANSWER_BYTES = 65_536;
const PREFIX_BYTES = 5;

export class GrpcCalls {
  readonly #sessions = new Map<string, ClientHttp2Session>();

  /** Rejects with `NoAnswer`, at the latest after `timeoutMs`. `address` is `host:port`. */
  async call(address: string, method: string, message: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const request = this.#session(address).request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: method,
      'content-type': 'application/grpc+proto',
      te: 'trailers',
    });
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      const fail = (reason: string): void => {
        reject(new NoAnswer(`The node ${address} gave no answer: ${reason}.`));
        request.close(constants.NGHTTP2_CANCEL);
      };
      const timer = setTimeout(() => {
        fail(`none within ${String(timeoutMs)} ms`);
      }, timeoutMs);
      const chunks: Buffer[] = [];
      let length = 0;
      let status = '';
      request.on('response', (headers: IncomingHttpHeaders) => {
        status = String(headers['grpc-status'] ?? '');
      });
      request.on('trailers', (trailers: IncomingHttpHeaders) => {
        status = String(trailers['grpc-status'] ?? status);
      });
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > ANSWER_BYTES) fail('it is too large');
        else chunks.push(chunk);
      });
      request.on('error', (error: Error) => {
        fail(error.message.replace(/\.$/, ''));
      });
      request.on('close', () => {
        clearTimeout(timer);
        const content = Buffer.concat(chunks);
        if (status !== '0') fail(status === '' ? 'the connection ended' : `gRPC status ${status}`);
        else if (length < PREFIX_BYTES || content[0] !== 0 || content.readUInt32BE(1) !== length - PREFIX_BYTES)
          fail('it is not a gRPC message');
        else resolve(content.subarray(PREFIX_BYTES));
      });
    });
    const head = Buffer.alloc(PREFIX_BYTES);
    head.writeUInt32BE(message.length, 1);
    request.end(Buffer.concat([head, message]));
    return answer;
  }

  close(): Promise<void> {
    for (const session of this.#sessions.values()) session.destroy();
    this.#sessions.clear();
    return Promise.resolve();
  }

  /** One connection for each node, made anew after it ended. */
  #session(address: string): ClientHttp2Session {
    const open = this.#sessions.get(address);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const session = connect(`http://${address}`);
    // Calls on it report the reason; without a listener the process would end.
    session.on('error', () => undefined);
    session.unref();
    this.#sessions.set(address, session);
    return session;
  }
}
