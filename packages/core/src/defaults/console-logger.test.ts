import { describe, expect, it } from 'vitest';
import { consoleLogger, type ConsoleLoggerOptions } from './console-logger.js';

const logging = (options: ConsoleLoggerOptions = {}) => {
  const lines: string[] = [];
  const logger = consoleLogger({ clock: { now: () => 0 }, write: (line) => lines.push(line), ...options });
  return { logger, lines };
};

describe('consoleLogger', () => {
  it('leaves out what is below its level', () => {
    const { logger, lines } = logging({ level: 'warn' });
    logger.debug('a');
    logger.info('b');
    logger.warn('c');
    logger.error('d');
    expect(lines).toEqual(['1970-01-01T00:00:00.000Z WARN  c', '1970-01-01T00:00:00.000Z ERROR d']);
  });

  it('writes fields beside a plain message, and an error with its stack and causes below it', () => {
    const { logger, lines } = logging();
    const error = new Error('outer', { cause: new Error('inner') });
    logger.error('It failed.', { requestId: 'r1', error });
    expect(lines[0]).toMatch(
      /^\S+ ERROR It failed\. requestId="r1"\n {2}Error: outer\n.*at .*caused by:\n {2}Error: inner\n/s,
    );
  });

  it('writes JSON lines with the whole story of an error, whatever the fields are called', () => {
    const { logger, lines } = logging({ format: 'json' });
    const error = Object.assign(new Error('outer', { cause: new RangeError('inner') }), { code: 'E1' });
    logger.warn('m', { error, level: 'mine', n: NaN, big: 5n });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'm',
      n: 'NaN',
      big: '5',
      error: { name: 'Error', message: 'outer', code: 'E1', cause: { name: 'RangeError', message: 'inner' } },
    });
  });

  it('survives fields that refer to themselves or throw when read', () => {
    const { logger, lines } = logging({ format: 'json' });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    logger.info('m', { circular, hostile });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      circular: { self: '[circular]' },
      hostile: expect.stringContaining('unreadable'),
    });
  });
});
