import { describe, expect, it } from 'vitest';
import { requestRow } from '../../test/request-row.js';
import { assertOpen, closeRequest, hasExpired, openRequest } from './request-state.js';

describe('the state of a request', () => {
  const { id: _id, status: _status, history: _history, ...row } = requestRow({});

  it('begins as NEW under its message id, with the sender and the moment of its receipt in the history', () => {
    expect(openRequest(row, 'did:north:ana')).toEqual({
      ...row,
      id: row.messageId,
      status: 'NEW',
      history: [{ status: 'NEW', at: '2026-01-01T00:00:00.000Z', by: 'did:north:ana' }],
    });
  });

  it.each(['COMPLETED', 'REJECTED', 'CANCELED', 'ERROR', 'EXPIRED'] as const)(
    'closes once as %s, and the history says who decided and when',
    (status) => {
      const closing = { by: 'did:south:owner', at: '2026-01-02T00:00:00.000Z', reason: 'because' };
      const open = openRequest(row, 'did:north:ana');
      const closed = closeRequest(open, status, closing);
      expect(closed).toEqual({
        ...open,
        status,
        closed: closing,
        history: [...open.history, { status, at: closing.at, by: closing.by }],
      });
      expect(() => closeRequest(closed, 'REJECTED', closing)).toThrow(
        expect.objectContaining({ code: 'REQUEST_CLOSED', facts: { messageId: row.messageId, status } }),
      );
      expect(() => assertOpen(closed)).toThrow(expect.objectContaining({ code: 'REQUEST_CLOSED' }));
      expect(() => assertOpen(open)).not.toThrow();
    },
  );

  it('has expired from the very moment of its expiry on', () => {
    const open = openRequest({ ...row, expiresAt: '2026-01-08T00:00:00.000Z' }, 'did:north:ana');
    const moment = Date.parse('2026-01-08T00:00:00.000Z');
    expect([moment - 1, moment, moment + 1].map((now) => hasExpired(open, now))).toEqual([false, true, true]);
  });
});
