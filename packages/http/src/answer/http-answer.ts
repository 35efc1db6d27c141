/** An answer, as a transport sends it. */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `null` for none. */
  readonly body: string | Uint8Array | null;
}

/** The headers that every answer with a JSON body has. */
export const jsonHeaders = (requestId: string): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Request-Id': requestId,
});
