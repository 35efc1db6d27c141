/** The W3C Trace Context header `traceparent`. */

const VERSION_00 = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;
/** Later versions may append fields; the known ones are unchanged (section 4.3). */
const LATER = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

export interface TraceContext {
  readonly traceId: string;
  /** The span that is the parent. */
  readonly spanId: string;
  readonly flags: number;
}

/** `undefined` for an invalid header: it is ignored, and a new trace begins. */
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

/** In version 00, the only one that is written. */
export const writeTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${FLAGS[flags] ?? (flags & 0xff).toString(16).padStart(2, '0')}`;

/** The flags alone; `undefined` for an invalid header. */
export function traceFlagsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return isWritten(text) ? flagsOf(text) : readTraceparent(text)?.flags;
}

/** The header to pass on; `undefined` if it is invalid. */
export function validTraceparent(text: string | undefined): string | undefined {
  if (text !== undefined && isWritten(text)) return text;
  const context = readTraceparent(text);
  return context && writeTraceparent(context);
}

/** Whether it is a valid version 00 header, which would be written as the same text. */
function isWritten(text: string): boolean {
  if (text.length !== WRITTEN) return false;
  const slot = slotOf(text);
  if (text === recent[slot]) return true;
  if (!VERSION_00.test(text) || text.startsWith(NO_TRACE, TRACE_AT) || text.startsWith(NO_SPAN, SPAN_AT)) return false;
  recent[slot] = text;
  return true;
}

/** Marks a text as a valid version 00 header, so that later calls need not check it. */
export function rememberTraceparent(text: string): void {
  recent[slotOf(text)] = text;
}

/** A cache of checked texts: most are checked repeatedly as they are passed on. */
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
