/** A request of the Fetch standard. */
import type { ReadableStream } from 'node:stream/web';
import type { HttpRequest, OnChunk } from '@blockwork/http';

export class FetchRequest implements HttpRequest<Request> {
  readonly path: string;
  readonly query: string;
  readonly parsedBody = undefined;

  constructor(readonly source: Request) {
    // A Request has its URL absolute and normalized; parsing it again would cost more than the routing.
    const { url } = source;
    const start = url.indexOf('/', url.indexOf('://') + 3);
    const fragment = url.indexOf('#', start);
    const end = fragment === -1 ? url.length : fragment;
    const mark = url.indexOf('?', start);
    const hasQuery = mark !== -1 && mark < end;
    this.path = url.slice(start, hasQuery ? mark : end);
    this.query = hasQuery ? url.slice(mark + 1, end) : '';
  }

  get method(): string {
    return this.source.method;
  }

  header(name: string): string | undefined {
    return this.source.headers.get(name) ?? undefined;
  }

  async readBody(onChunk: OnChunk): Promise<void> {
    const body = this.source.body as ReadableStream<Uint8Array> | null;
    const reader = body?.getReader();
    if (reader === undefined) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (!(await onChunk(value))) {
        await reader.cancel();
        return;
      }
    }
  }
}
