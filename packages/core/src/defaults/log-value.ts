/** Converts any log field to JSON, errors with their stack and causes, without the credentials in their texts. */
import type { Json } from '../records/index.js';
import { shownText } from '../shown-text.js';

/** Deeper values are cut, since a log entry is one line. */
const deepest = 12;

/** Never throws; cycles, throwing getters and values without JSON become texts. */
export function logValue(value: unknown, above: readonly object[] = []): Json {
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
