/** The row of a request, for tests of what works on such rows. */
import type { RemoteRequest } from '@blockwork/core/records';

/** An incoming one that is open, with what the test sets. */
export const requestRow = ({ id = '1767225600.000000001', ...more }: Partial<RemoteRequest>): RemoteRequest => ({
  id,
  messageId: id,
  startMessageId: id,
  direction: 'incoming',
  type: 'send-data',
  policyId: 'votes',
  sender: { instance: 'north', did: 'did:north:ana' },
  to: 'south',
  recipient: null,
  concerns: 'did:south:owner',
  action: { type: 'send-data', tag: 'ballot', user: { did: 'did:north:ana' }, data: { vote: 'yes' } },
  receivedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  status: 'NEW',
  history: [{ status: 'NEW', at: '2026-01-01T00:00:00.000Z', by: 'did:north:ana' }],
  ...more,
});
