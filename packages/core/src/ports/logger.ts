/** The operator's log, for details that answers must not contain. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** `error` is logged with its stack and its causes. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The most recent lines of a log. */
export interface LogReader {
  /** The matching lines, newest first. They contain no tokens, secrets or documents. */
  find(query: LogFilter): readonly LogLine[];
}

export interface LogFilter {
  /** Lines about this HTTP request. */
  readonly requestId?: string | undefined;
  /** The lowest level; `info` by default. */
  readonly level?: LogLine['level'] | undefined;
}

export interface LogLine {
  /** ISO 8601. */
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  /** Id of the HTTP request that the line is about; `null` for work outside a request. */
  readonly requestId: string | null;
  /** Further facts: ids, codes and numbers. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}
