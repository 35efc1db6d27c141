/** A logger that writes one line per message to standard error. */
import { optionTypes } from './option-types.js';
import { type OptionsOf, parseOptions } from '../options/index.js';
import { isoNow, type LogFields, type Logger } from '../ports/index.js';
import type { Json } from '../records/index.js';
import { shownText } from '../shown-text.js';
import { systemClock } from './system-clock.js';

const levels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof levels)[number];

const shape = {
  /** The lowest level written; default `info`. */
  level: optionTypes.as<LogLevel>(optionTypes.oneOf(...levels)).default('info'),
  /**
   * `json`: one JSON object per line, for machines. `plain` (default): human-readable, with stack traces on separate
   * lines.
   */
  format: optionTypes.oneOf('json', 'plain').default('plain'),
  /** Receives each line without its line break; default standard error. */
  write: optionTypes
    .as<(line: string) => void>(optionTypes.function)
    .default(() => (line: string) => void process.stderr.write(`${line}\n`)),
  clock: optionTypes.clock.default(() => systemClock),
};

export type ConsoleLoggerOptions = OptionsOf<typeof shape>;

/** Throws `OPTION_INVALID`. */
export function consoleLogger(options: ConsoleLoggerOptions = {}): Logger {
  const { level: least, format, write, clock } = parseOptions(options, shape, 'console logger: ');
  const leastLevel = levels.indexOf(least);
  const render = format === 'json' ? jsonLine : plainLine;
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (levels.indexOf(level) >= leastLevel) write(render(isoNow(clock), level, shownText(message), fields));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const jsonLine = (time: string, level: LogLevel, message: string, fields: LogFields): string =>
  JSON.stringify({ ...(logValue(fields) as Record<string, Json>), time, level, message });

function plainLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const { error, ...rest } = fields;
  const facts = Object.entries(rest).map(([key, value]) => ` ${key}=${JSON.stringify(logValue(value))}`);
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${facts.join('')}${error === undefined ? '' : errorText(error)}`;
}

function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return `\n  ${JSON.stringify(logValue(error))}`;
  const text = `\n  ${shownText(error.stack ?? String(error)).replaceAll('\n', '\n  ')}`;
  return error.cause === undefined || depth > 8 ? text : `${text}\n  caused by:${errorText(error.cause, depth + 1)}`;
}

/** Deeper values are cut, since a log entry is one line. */
const deepest = 12;

/** Never throws; cycles, throwing getters and values without JSON become texts. */
function logValue(value: unknown, above: readonly object[] = []): Json {
  if (typeof value === 'string') return shownText(value);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'function') return '[function]';
  if (typeof value === 'bigint' || typeof value === 'symbol') return value.toString();
  if (value === undefined) return 'undefined';
  if (above.includes(value)) return '[circular]';
  if (above.length >= deepest) return '[deeper]';
  try {
    return objectValue(value, [...above, value]);
  } catch (error) {
    return `[unreadable: ${String(error)}]`;
  }
}

function objectValue(value: object, above: readonly object[]): Json {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => logValue(item, above));
  if (value instanceof Error) return members({ ...ownText(value), ...value, ...causes(value) }, above);
  return members(value, above);
}

const ownText = (error: Error): object => ({ name: error.name, message: error.message, stack: error.stack });

const causes = (error: Error): object => ({
  ...(error.cause === undefined ? {} : { cause: error.cause }),
  ...(error instanceof AggregateError ? { errors: error.errors as unknown[] } : {}),
});

const members = (value: object, above: readonly object[]): Json =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, logValue(member, above)]),
  );
