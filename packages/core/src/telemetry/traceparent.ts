/** The header `traceparent` of W3C Trace Context. */

const VERSION_00 = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;
/** Later versions may add parts; what is known of them is the same (section 4.3). */
const LATER = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

export interface TraceContext {
  readonly traceId: string;
  /** The span that is the parent. */
  readonly spanId: string;
  readonly flags: number;
}

/** `undefined` for text that is no valid header: it is ignored, and the trace begins anew. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  if (text === undefined || text.length > LONGEST) return undefined;
  const match = isVersion00(text) ? VERSION_00.exec(text) : LATER.exec(text);
  const [, traceId = NO_TRACE, spanId = NO_SPAN, flags = '00'] = match ?? [];
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** As version 00, which is the only one that is written. */
export const writeTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, '0')}`;

/** The header as it is passed on; `undefined` if it is no valid one. */
export function validTraceparent(text: string | undefined): string | undefined {
  const context = readTraceparent(text);
  // Written again, one of version 00 would be the same text.
  return context && (text !== undefined && isVersion00(text) ? text : writeTraceparent(context));
}

/** Of a later version, with its own parts. */
const LONGEST = 512;
const isVersion00 = (text: string): boolean => text.startsWith('00-');
/** What stands for none: no id is zero. */
const [NO_TRACE, NO_SPAN] = ['0'.repeat(32), '0'.repeat(16)];
