/** A logger that keeps its most recent lines, for operators inspecting a running process. */
import { isBlockworkError } from '../errors.js';
import { optionTypes } from './option-types.js';
import { parseOptions, type OptionsOf } from '../options/index.js';
import { isoNow, type LogFields, type Logger, type LogLine, type LogReader } from '../ports/index.js';
import { shownText } from '../shown-text.js';
import { silentLogger } from './silent-logger.js';
import { systemClock } from './system-clock.js';

export interface RecentLog extends Logger, LogReader {
  /**
   * The same log without forwarding to `to`, for lines too frequent for a log that people read, such as one per
   * request.
   */
  readonly only: Logger;
}

const shape = {
  /** Also receives every line. Default: none. */
  to: optionTypes.logger.default(() => silentLogger),
  /** Lines kept per level; default 1000. */
  lines: optionTypes.wholeNumber(1, 100_000).default(1000),
  clock: optionTypes.clock.default(() => systemClock),
};

export type RecentLogOptions = OptionsOf<typeof shape>;

interface Numbered extends LogLine {
  readonly number: number;
}

const levels = ['info', 'warn', 'error'] as const;

/** Maximum characters of a text; longer ones are truncated. */
const LONGEST = 300;

/**
 * Keeps only text, number and boolean fields whose names are known to hold ids, codes and sizes. Of an error it keeps
 * the code and message if it is a `BlockworkError`, otherwise only the name: stacks, causes and other messages go to
 * `to` alone. `debug` lines are only forwarded. Throws `OPTION_INVALID`.
 *
 * @example
 * const log = recentLog({ to: consoleLogger() });
 * const engine = createEngine({ logger: log, recentLog: log });
 * const server = createPolicyServer(engine, { auth, logger: log, accessLog: log.only });
 */
export function recentLog(options: RecentLogOptions = {}): RecentLog {
  const { to, lines, clock } = parseOptions(options, shape, 'recent log: ');
  // Kept per level, so that a burst of requests does not evict errors.
  const byLevel = { info: [] as Numbered[], warn: [] as Numbered[], error: [] as Numbered[] };
  let count = 0;
  const keep =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      const { requestId, ...rest } = fields;
      count += 1;
      byLevel[level].push({
        number: count,
        at: isoNow(clock),
        level,
        message: shownText(message),
        requestId: typeof requestId === 'string' ? requestId : null,
        fields: plainFields(rest),
      });
      // Trimmed in batches, because shifting on every line would double the cost.
      if (byLevel[level].length >= 2 * lines) byLevel[level].splice(0, lines);
    };
  const only: Logger = { debug: () => undefined, info: keep('info'), warn: keep('warn'), error: keep('error') };
  const both =
    (level: LogLine['level']) =>
    (message: string, fields?: LogFields): void => {
      only[level](message, fields);
      to[level](message, fields);
    };
  return {
    only,
    debug: (message, fields) => {
      to.debug(message, fields);
    },
    info: both('info'),
    warn: both('warn'),
    error: both('error'),
    find: ({ requestId, level = 'info' }) =>
      levels
        .slice(levels.indexOf(level))
        .flatMap((each) => byLevel[each].slice(-lines))
        .filter((line) => requestId === undefined || line.requestId === requestId)
        .sort((a, b) => b.number - a.number)
        .map(({ number: _number, ...line }) => line),
  };
}

/** Fields that hold ids, codes, sizes and names, never secrets or content. */
const loggedFields: ReadonlySet<string> = new Set([
  ...['method', 'route', 'path', 'status', 'ms', 'bytes', 'caller'],
  ...['policyId', 'tag', 'type', 'timer', 'work', 'id', 'effectId', 'entry', 'webhookId', 'messageId', 'topic'],
  ...['instance', 'from', 'to', 'node', 'name', 'version', 'schema', 'stream', 'subject', 'sequence', 'attempt'],
  ...['failures', 'retryInMs', 'code', 'outcome', 'action'],
]);

function plainFields({ error, ...fields }: LogFields): LogLine['fields'] {
  const plain = Object.entries(fields).filter(([name, value]) => loggedFields.has(name) && isPlain(value));
  return {
    ...(Object.fromEntries(plain.map(([name, value]) => [name, cut(value)])) as LogLine['fields']),
    ...(error !== undefined && errorIn(error)),
  };
}

const isPlain = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

function cut(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = shownText(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function errorIn(error: unknown): LogLine['fields'] {
  if (isBlockworkError(error)) return { code: error.code, error: String(cut(error.message)) };
  return { error: error instanceof Error ? error.name : typeof error };
}
