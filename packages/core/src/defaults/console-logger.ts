/** A logger that writes one line per message to standard error. */
import { checkOptions, optionTypes, type OptionShape } from '../options/index.js';
import { isoNow, type Clock, type LogFields, type Logger } from '../ports/index.js';
import type { Json } from '../records/index.js';
import { shownText } from '../shown-text.js';
import { logValue } from './log-value.js';
import { systemClock } from './system-clock.js';

const levels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof levels)[number];

export interface ConsoleLoggerOptions {
  /** The lowest level written; default `info`. */
  readonly level?: LogLevel;
  /**
   * `json`: one JSON object per line, for machines. `plain` (default): human-readable, with stack traces on separate
   * lines.
   */
  readonly format?: 'json' | 'plain';
  /** Receives each line without its line break; default standard error. */
  readonly write?: (line: string) => void;
  readonly clock?: Clock;
}

const shape: OptionShape<ConsoleLoggerOptions> = {
  level: optionTypes.oneOf(...levels),
  format: optionTypes.oneOf('json', 'plain'),
  write: optionTypes.function,
  clock: optionTypes.clock,
};

/** Throws `OPTION_INVALID`. */
export function consoleLogger(options: ConsoleLoggerOptions = {}): Logger {
  checkOptions(options, shape, 'console logger: ');
  const clock = options.clock ?? systemClock;
  const write = options.write ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const leastLevel = levels.indexOf(options.level ?? 'info');
  const render = options.format === 'json' ? jsonLine : plainLine;
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
