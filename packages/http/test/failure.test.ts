import { BlockworkError, errorTable } from '@blockwork/core';
import { errorBody } from '@blockwork/core/records';
import type { ErrorArguments, ErrorCode, ErrorOptions } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { AuthenticationError } from '../src/index.js';
import { failureOf } from '../src/answer/refusal.js';
import { TransportError } from '../src/answer/transport-error.js';

const options = { realm: 'blockwork', requestId: 'r-1' };
const codes = Object.keys(errorTable) as ErrorCode[];
/** Messages without their facts show a question mark. */
const errorOf = (code: ErrorCode, options: ErrorOptions = {}): BlockworkError =>
  new BlockworkError(...([code, options] as ErrorArguments));

describe('the answer to an error', () => {
  it('is 500 for bugs in blocks and in the engine alone', () => {
    expect(codes.filter((code) => errorTable[code].status === 500)).toEqual([
      'BLOCK_FAILED',
      'OUTPUT_UNDECLARED',
      'ANSWER_NOT_JSON',
      'RUN_ENDED',
      'INTERNAL',
    ]);
  });

  it('is 500 where the program passed an invalid option, which no client can mend', () => {
    expect(errorTable.OPTION_INVALID.status).toBe(422);
    const facts = { option: 'createEngine: SECRET', reason: 'SECRET' };
    const failure = failureOf(errorOf('OPTION_INVALID', { facts }), options);
    expect(failure).toMatchObject({ status: 500, body: { error: 'INTERNAL' } });
    expect(JSON.stringify(failure)).not.toContain('SECRET');
  });

  const answered = codes.filter((code) => code !== 'OPTION_INVALID');
  it.each(answered)('%s has the status of the table and the body of the interface', (code) => {
    const { status, body } = failureOf(errorOf(code), options);
    expect(status).toBe(errorTable[code].status);
    expect(errorBody.parse(body)).toMatchObject({ code: status, requestId: 'r-1' });
  });

  it.each(codes.filter((code) => errorTable[code].status >= 500))('%s reveals no internals', (code) => {
    const facts = { reason: 'SECRET', key: 'SECRET', folder: 'SECRET', holder: 'SECRET', option: 'SECRET' };
    expect(JSON.stringify(failureOf(errorOf(code, { facts, cause: 'SECRET' }), options))).not.toContain('SECRET');
  });

  it.each([new Error('SECRET'), 'SECRET', undefined, { status: 404, expose: true, message: 'SECRET' }])(
    'of unknown origin is 500 and reveals nothing',
    (thrown) => {
      const failure = failureOf(thrown, options);
      expect(failure).toMatchObject({ status: 500, body: { code: 500, error: 'INTERNAL' } });
      expect(JSON.stringify(failure)).not.toContain('SECRET');
    },
  );

  it('has the details of the error', () => {
    const details = [{ path: '/name', message: 'is missing' }];
    expect(failureOf(errorOf('INPUT_INVALID', { details }), options).body.details).toEqual(details);
    expect(failureOf(new TransportError('PARAMETER_INVALID', { details }), options).body.details).toEqual(details);
  });

  it('names the methods that the block allows', () => {
    const allow = (code: ErrorCode): unknown => failureOf(errorOf(code), options).headers['Allow'];
    expect(
      ['BLOCK_NOT_READABLE', 'BLOCK_NOT_WRITABLE', 'BLOCK_NEITHER'].map((code) => allow(code as ErrorCode)),
    ).toEqual(['POST', 'GET', '']);
  });

  it('has Retry-After only if a retry can help', () => {
    const after = (code: ErrorCode): unknown => failureOf(errorOf(code), options).headers['Retry-After'];
    expect([after('STORE_UNAVAILABLE'), after('CONFLICT'), after('ENGINE_CLOSED')]).toEqual(['1', '1', undefined]);
  });

  it('does not ask for a retry if the change may have been made', () => {
    const { status, headers, body } = failureOf(errorOf('COMMIT_UNKNOWN'), options);
    expect([status, headers['Retry-After'], body.error]).toEqual([503, undefined, 'COMMIT_UNKNOWN']);
    expect(body.message).toContain('outcome of the change is unknown');
  });
});

describe('the challenge', () => {
  const challengeOf = (error: unknown): string | undefined => failureOf(error, options).headers['WWW-Authenticate'];

  it('has no error code if there was no token', () => {
    expect(challengeOf(new AuthenticationError('missing', 'There is no token.'))).toBe('Bearer realm="blockwork"');
  });

  it('cannot be broken out of by an error message', () => {
    expect(challengeOf(new AuthenticationError('claims', 'a"b\r\nX: y\\ü'))).toBe(
      'Bearer realm="blockwork", error="invalid_token", error_description="a\'b??X: y??"',
    );
  });

  it('is insufficient_scope if only a permission is missing', () => {
    expect(challengeOf(errorOf('PERMISSION_DENIED', { facts: { permission: 'P' } }))).toContain(
      'error="insufficient_scope"',
    );
    expect(challengeOf(errorOf('BLOCK_FORBIDDEN'))).toBeUndefined();
  });
});
