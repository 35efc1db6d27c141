import { INSTANCE, type RemoteRequest, requestStatus } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { simulatedWorld } from '../../test/background.js';
import { requestRow } from '../../test/request-row.js';
import { Executor } from '../transactions/index.js';
import { RequestArchive, type ArchiveRequests } from './request-archive.js';

const HOUR = 3_600_000;

function world(archive: ArchiveRequests | null = null) {
  const around = simulatedWorld();
  const { store, clock } = around;
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const requests = new RequestArchive({
    ...around,
    executor,
    archiveRequests: archive,
    limits: { closedRequestMs: 24 * HOUR },
  });
  const put = (...rows: RemoteRequest[]) =>
    store.commit({
      expect: {},
      changes: rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const),
    });
  const at = (hours: number): string => new Date(clock.now() + hours * HOUR).toISOString();
  const row = (id: string, expires: number, closed?: number): RemoteRequest =>
    requestRow({
      id,
      expiresAt: at(expires),
      ...(closed !== undefined && { status: 'COMPLETED', closed: { by: 'did:south:owner', at: at(closed) } }),
    });
  const storedIds = async () => (await store.find('request', INSTANCE)).map(({ id }) => id);
  return { ...around, requests, put, row, kept: storedIds };
}

describe('requests that ended', () => {
  it('are removed some time after they were closed, and not before their message could no longer come again', async () => {
    const { requests, put, row, kept: storedIds, toNextWakeUp } = world();
    await put(row('open', -100), row('new', -1, -1), row('old', -1, -25), row('soon', -1, -23.5), row('long', 3, -30));
    requests.start();
    await requests.idle();
    expect(await storedIds()).toEqual(['open', 'new', 'soon', 'long']);
    await toNextWakeUp(requests);
    expect(await storedIds()).toEqual(['open', 'new', 'long']);
    for (let hour = 0; hour < 3; hour += 1) await toNextWakeUp(requests);
    expect(await storedIds()).toEqual(['open', 'new']);
  });

  it('are removed however they ended', async () => {
    const { requests, put, row, kept } = world();
    await put(...requestStatus.options.map((status) => ({ ...row(status, -1, -25), status })));
    requests.start();
    await requests.idle();
    expect(await kept()).toEqual(['NEW']);
  });

  it('are all removed, however many there are between those that stay', async () => {
    const { requests, put, row, kept: storedIds } = world();
    await put(...Array.from({ length: 120 }, (_, at) => row(`r${at}`, -200 + at, at % 3 === 0 ? -1 : -100)));
    requests.start();
    await requests.idle();
    expect(await storedIds()).toEqual(Array.from({ length: 40 }, (_, at) => `r${at * 3}`));
  });

  it('are handed to the archive first, and stay while it does not take them', async () => {
    const archived: string[] = [];
    let isDown = true;
    const {
      requests,
      put,
      row,
      kept: storedIds,
      toNextWakeUp,
    } = world((rows) => {
      if (isDown) throw new Error('The archive is down.');
      archived.push(...rows.map(({ id }) => id));
    });
    await put(row('old', -1, -25));
    requests.start();
    await requests.idle();
    expect([await storedIds(), archived]).toEqual([['old'], []]);
    expect(requests.stuck()).toMatchObject([
      { work: 'archive', id: null, failures: 1, reason: 'The archive is down.' },
    ]);
    isDown = false;
    await toNextWakeUp(requests);
    expect([await storedIds(), archived, requests.stuck()]).toEqual([[], ['old'], []]);
  });
});
