/** A logger that keeps its last lines, for operators who look into a running process. */
import { isBlockworkError } from '../errors.js';
import { checkOptions, optionTypes, type OptionShape } from '../options/index.js';
import { isoNow, type Clock, type LogFields, type Logger, type LogLine, type LogReader } from '../ports/index.js';
import { silentLogger } from './silent-logger.js';
import { systemClock } from './system-clock.js';

export interface RecentLogOptions {
  /** Where every line goes as well; nowhere by default. */
  readonly to?: Logger;
  /** How many lines of each level are kept; default 1000. */
  readonly lines?: number;
  readonly clock?: Clock;
}

export interface RecentLog extends Logger, LogReader {
  /** The same lines without `to`: for what would fill a log that people read, such as a line for each request. */
  readonly only: Logger;
}

const shape: OptionShape<RecentLogOptions> = {
  to: optionTypes.logger,
  lines: optionTypes.wholeNumber(1, 100_000),
  clock: optionTypes.clock,
};

interface Numbered extends LogLine {
  readonly number: number;
}

const levels = ['info', 'warn', 'error'] as const;

/** Longer texts are cut. */
const LONGEST = 300;

/**
 * Of the fields of a line, it keeps texts, numbers and flags whose names are known to hold ids, codes and sizes. Of an error it keeps
 * the code and the message where it is a `BlockworkError`, else the name: stacks, causes and strange messages are for the other log alone.
 * Lines of the level `debug` are passed on only. Throws `OPTION_INVALID`.
 *
 * @example
 * const log = recentLog({ to: consoleLogger() });
 * const engine = createEngine({ logger: log, recentLog: log });
 * const server = createPolicyServer(engine, { auth, logger: log, accessLog: log.only });
 */
export function recentLog(options: RecentLogOptions = {}): RecentLog {
  checkOptions(options, shape, 'recent log: ');
  const { to = silentLogger, lines = 1000, clock = systemClock } = options;
  // A burst of requests must not push out what failed.
  const kept = { info: [] as Numbered[], warn: [] as Numbered[], error: [] as Numbered[] };
  let count = 0;
  const keep =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      const { requestId, ...rest } = fields;
      count += 1;
      kept[level].push({
        number: count,
        at: isoNow(clock),
        level,
        message,
        requestId: typeof requestId === 'string' ? requestId : null,
        fields: plainFields(rest),
      });
      // Twice as many before they are cut: shifting each time would cost as much as the lines.
      if (kept[level].length >= 2 * lines) kept[level].splice(0, lines);
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
        .flatMap((each) => kept[each].slice(-lines))
        .filter((line) => requestId === undefined || line.requestId === requestId)
        .sort((a, b) => b.number - a.number)
        .map(({ number: _number, ...line }) => line),
  };
}

/** Fields that hold ids, codes, sizes and names of things, and neither secrets nor contents. */
const known: ReadonlySet<string> = new Set([
  ...['method', 'route', 'path', 'status', 'ms', 'bytes', 'caller'],
  ...['policyId', 'tag', 'type', 'timer', 'work', 'id', 'effectId', 'entry', 'webhookId', 'messageId', 'topic'],
  ...['instance', 'from', 'to', 'node', 'name', 'version', 'schema', 'stream', 'subject', 'sequence', 'attempt'],
  ...['failures', 'retryInMs', 'code', 'outcome', 'action'],
]);

function plainFields({ error, ...fields }: LogFields): LogLine['fields'] {
  const plain = Object.entries(fields).filter(([name, value]) => known.has(name) && isPlain(value));
  return {
    ...(Object.fromEntries(plain.map(([name, value]) => [name, cut(value)])) as LogLine['fields']),
    ...(error !== undefined && errorIn(error)),
  };
}

const isPlain = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

const cut = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

function errorIn(error: unknown): LogLine['fields'] {
  if (isBlockworkError(error)) return { code: error.code, error: String(cut(error.message)) };
  return { error: error instanceof Error ? error.name : typeof error };
}
