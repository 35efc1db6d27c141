/** A request of Koa. */
import type { HttpRequest, OnChunk } from '@blockwork/http';
import type { Context } from 'koa';

export class KoaRequest implements HttpRequest<Context> {
  /** `ownPath`: the path below that of the router that uses this one. */
  constructor(
    readonly source: Context,
    private readonly ownPath?: string,
  ) {}

  get method(): string {
    return this.source.method;
  }

  /** Empty if the target is not a URL, as in `GET http://[/`: no route has that path. */
  get path(): string {
    if (this.ownPath !== undefined) return this.ownPath;
    try {
      return this.source.path;
    } catch {
      return '';
    }
  }

  get query(): string {
    return this.source.querystring;
  }

  /** Of a body that was read: parsers leave an empty object where there was nothing to parse. */
  get parsedBody(): unknown {
    const { req, request } = this.source;
    return req.readableEnded ? (request as { body?: unknown }).body : undefined;
  }

  header(name: string): string | undefined {
    const value = this.source.req.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  async readBody(onChunk: OnChunk): Promise<void> {
    const { req } = this.source;
    if (req.readableEnded) {
      throw new Error('Another middleware has consumed the body without keeping it in ctx.request.body.');
    }
    // Nothing is told twice: of a client that has gone already, no event follows.
    if (req.destroyed) throw clientGone();
    await new Promise<void>((resolve, reject) => {
      // The rest is still read, so that the connection stays usable.
      let isWanted = true;
      req.on('data', (chunk: Uint8Array) => {
        const answer = isWanted && onChunk(chunk);
        if (typeof answer === 'boolean') {
          isWanted = answer;
          return;
        }
        req.pause();
        answer.then((still) => {
          isWanted = still;
          req.resume();
        }, reject);
      });
      req.on('end', resolve);
      req.on('error', reject);
      req.on('close', () => reject(clientGone()));
    });
  }
}

const clientGone = (): Error => new Error('The client went away.');
