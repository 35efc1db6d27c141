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
  `00-${traceId}-${spanId}-${FLAGS[flags] ?? (flags & 0xff).toString(16).padStart(2, '0')}`;

/** The flags alone; `undefined` for what is no valid header. */
export function traceFlagsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!isWritten(text)) return readTraceparent(text)?.flags;
  return text.endsWith('-00') ? 0 : Number.parseInt(text.slice(FLAGS_AT), 16);
}

/** The header as it is passed on; `undefined` if it is no valid one. */
export function validTraceparent(text: string | undefined): string | undefined {
  if (text !== undefined && isWritten(text)) return text;
  const context = readTraceparent(text);
  return context && writeTraceparent(context);
}

/** Of version 00, and valid: what would be written of it is the same text. */
function isWritten(text: string): boolean {
  if (text === lastWritten) return true;
  if (!VERSION_00.test(text) || text.startsWith(NO_TRACE, TRACE_AT) || text.startsWith(NO_SPAN, SPAN_AT)) return false;
  lastWritten = text;
  return true;
}
/** Looked at again in most cases, as it goes from hand to hand. */
let lastWritten = '';
/** The usual ones. */
const FLAGS = ['00', '01'];
const [TRACE_AT, SPAN_AT, FLAGS_AT] = [3, 36, 53];

/** Of a later version, with its own parts. */
const LONGEST = 512;
const isVersion00 = (text: string): boolean => text.startsWith('00-');
/** What stands for none: no id is zero. */
const [NO_TRACE, NO_SPAN] = ['0'.repeat(32), '0'.repeat(16)];
