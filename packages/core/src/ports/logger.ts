/** The operator's log, for details that answers must not contain. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** `error` is logged with its stack and its causes. */
export type LogFields = Readonly<Record<string, unknown>>;
