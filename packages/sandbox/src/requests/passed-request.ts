/** A request forwarded to the interface with another token, or with a body that was already read. */
import type { HttpRequest, OnChunk } from '@blockwork/http';

export interface PassedChanges {
  readonly headers: Readonly<Record<string, string>>;
  readonly parsedBody?: unknown;
}

export class PassedRequest<Source> implements HttpRequest<Source> {
  readonly source: Source;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly parsedBody: unknown;

  constructor(
    private readonly original: HttpRequest<Source>,
    private readonly changes: PassedChanges,
  ) {
    this.source = original.source;
    this.method = original.method;
    this.path = original.path;
    this.query = original.query;
    this.parsedBody = changes.parsedBody ?? original.parsedBody;
  }

  header(name: string): string | undefined {
    const { headers } = this.changes;
    return Object.hasOwn(headers, name) ? headers[name] : this.original.header(name);
  }

  readBody(onChunk: OnChunk): Promise<void> {
    return this.original.readBody(onChunk);
  }
}
