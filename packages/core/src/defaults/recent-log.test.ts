import { describe, expect, it } from 'vitest';
import { BlockworkError } from '../errors.js';
import type { LogFields, Logger } from '../ports/index.js';
import { recentLog } from './recent-log.js';

const clock = { now: () => Date.UTC(2026, 2, 14, 9, 26, 53) };

function listener(): { heard: string[]; logger: Logger } {
  const heard: string[] = [];
  const hear = (message: string): void => void heard.push(message);
  return { heard, logger: { debug: hear, info: hear, warn: hear, error: hear } };
}

describe('A log that keeps its last lines', () => {
  it('passes every line on, and finds those of a request, newest first', () => {
    const { heard, logger } = listener();
    const log = recentLog({ to: logger, clock });
    log.debug('not kept');
    log.info('first', { requestId: 'r1', status: 200 });
    log.error('second', { requestId: 'r1' });
    log.warn('third');
    log.only.info('fourth', { requestId: 'r1' });
    expect(heard).toEqual(['not kept', 'first', 'second', 'third']);
    expect(log.find({}).map(({ message }) => message)).toEqual(['fourth', 'third', 'second', 'first']);
    expect(log.find({ requestId: 'r1' }).map(({ message }) => message)).toEqual(['fourth', 'second', 'first']);
    expect(log.find({ requestId: 'r1' }).at(-1)).toEqual({
      at: '2026-03-14T09:26:53.000Z',
      level: 'info',
      message: 'first',
      requestId: 'r1',
      fields: { status: 200 },
    });
  });

  it('finds lines from a level upwards', () => {
    const log = recentLog({ clock });
    for (const level of ['info', 'warn', 'error'] as const) log[level](level);
    expect(log.find({ level: 'warn' }).map(({ message }) => message)).toEqual(['error', 'warn']);
    expect(log.find({ level: 'info' })).toHaveLength(3);
  });

  it('keeps so many lines of each level, so that many requests push out no failure', () => {
    const log = recentLog({ lines: 3, clock });
    log.error('failed');
    for (let at = 0; at < 20; at += 1) log.info(`request ${at}`);
    expect(log.find({}).map(({ message }) => message)).toEqual(['request 19', 'request 18', 'request 17', 'failed']);
  });

  it.each<[string, LogFields]>([
    ['a token', { authorization: 'Bearer swordfish', token: 'swordfish' }],
    ['a document', { document: { secret: 'swordfish' }, policyId: { inner: 'swordfish' } }],
    ['what the inspector heard', { inspection: 'swordfish' }],
    ['a stack and a cause', { error: new Error('swordfish', { cause: 'swordfish' }) }],
    ['a thrown text', { error: 'swordfish' }],
    ['the cause of an error of its own', { error: new BlockworkError('STORE_CLOSED', { cause: 'swordfish' }) }],
  ])('does not keep %s', (_what, fields) => {
    const log = recentLog({ clock });
    log.error('Something failed.', { ...fields, id: 'known' });
    expect(log.find({})[0]?.fields['id']).toBe('known');
    expect(JSON.stringify(log.find({}))).not.toContain('swordfish');
  });

  it('keeps code and message of an error of its own, and the name of any other', () => {
    const log = recentLog({ clock });
    log.error('one', { error: new BlockworkError('STORE_CLOSED') });
    log.error('two', { error: new TypeError('x') });
    const [two, one] = log.find({});
    expect(one?.fields).toEqual({ code: 'STORE_CLOSED', error: new BlockworkError('STORE_CLOSED').message });
    expect(two?.fields).toEqual({ error: 'TypeError' });
  });

  it('cuts long texts', () => {
    const log = recentLog({ clock });
    log.info('long', { path: 'x'.repeat(5000) });
    expect(String(log.find({})[0]?.fields['path']).length).toBe(301);
  });
});
