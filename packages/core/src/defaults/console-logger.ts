/** A logger that writes one line per message to standard error. */
import { optionTypes, parseOptions, type OptionsOf } from '../options/index.js';
import { isoNow, type LogFields, type Logger } from '../ports/index.js';
import type { Json } from '../records/index.js';
import { shownText } from '../shown-text.js';
import { logValue } from './log-value.js';
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
