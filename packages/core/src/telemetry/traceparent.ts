/** The header `traceparent` of W3C Trace Context. */

const VERSION_00 = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;
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
  if (isWritten(text)) {
    const [traceId, spanId] = [text.slice(TRACE_AT, TRACE_END), text.slice(SPAN_AT, SPAN_END)];
    return { traceId, spanId, flags: flagsOf(text) };
  }
  if (text.startsWith('00-')) return undefined;
  const [, traceId = NO_TRACE, spanId = NO_SPAN, flags = '00'] = LATER.exec(text) ?? [];
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** As version 00, which is the only one that is written. */
export const writeTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${FLAGS[flags] ?? (flags & 0xff).toString(16).padStart(2, '0')}`;

/** The flags alone; `undefined` for what is no valid header. */
export function traceFlagsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return isWritten(text) ? flagsOf(text) : readTraceparent(text)?.flags;
}

/** The header as it is passed on; `undefined` if it is no valid one. */
export function validTraceparent(text: string | undefined): string | undefined {
  if (text !== undefined && isWritten(text)) return text;
  const context = readTraceparent(text);
  return context && writeTraceparent(context);
}

/** Of version 00, and valid: what would be written of it is the same text. */
function isWritten(text: string): boolean {
  if (text.length !== WRITTEN) return false;
  const slot = slotOf(text);
  if (text === recent[slot]) return true;
  if (!VERSION_00.test(text) || text.startsWith(NO_TRACE, TRACE_AT) || text.startsWith(NO_SPAN, SPAN_AT)) return false;
  recent[slot] = text;
  return true;
}

/** Says that a text is valid and of version 00. Who wrote it knows, and what it goes through next need not look. */
export function rememberTraceparent(text: string): void {
  recent[slotOf(text)] = text;
}

/** Texts are looked at again in most cases, as they go from hand to hand: each is checked once while others are on their way. */
const recent = Array<string>(64).fill('');
/** Ids are random, their last digits too. */
const slotOf = (text: string): number =>
  ((text.charCodeAt(TRACE_END - 1) & 7) << 3) | (text.charCodeAt(SPAN_END - 1) & 7);

function flagsOf(text: string): number {
  if (text.endsWith('-00')) return 0;
  return text.endsWith('-01') ? 1 : Number.parseInt(text.slice(FLAGS_AT), 16);
}
/** The usual ones. */
const FLAGS = ['00', '01'];
const [TRACE_AT, SPAN_AT, FLAGS_AT] = [3, 36, 53];
const [TRACE_END, SPAN_END, WRITTEN] = [35, 52, 55];

/** Of a later version, with its own parts. */
const LONGEST = 512;
/** What stands for none: no id is zero. */
const [NO_TRACE, NO_SPAN] = ['0'.repeat(32), '0'.repeat(16)];
