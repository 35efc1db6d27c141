import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { currentOwner, describeOwner, isLockOwner, livenessOf, type LockOwner } from './lock-owner.js';

const since = '2026-01-01T00:00:00.000Z';
const noSocket = '/nowhere.sock';

describe('the owner of a lock', () => {
  const cases: [string, string, Partial<LockOwner>][] = [
    ['alive', 'it is this process', {}],
    ['gone', 'no process has its pid', { pid: 2 ** 22 + 7 }],
    ['gone', 'its pid was reused', { begun: '1' }],
    ['alive', 'its start time is unknown', { begun: '' }],
    ['gone', 'the machine was rebooted', { boot: 'earlier' }],
    ['unknown', 'it ran on another machine', { boot: 'another', host: 'elsewhere' }],
    ['unknown', 'its boot is unknown', { boot: '' }],
    ['unknown', 'it is in another container without a liveness socket', { namespace: 'pid:[1]' }],
    ['alive', 'the host was renamed', { host: 'renamed' }],
  ];

  it.runIf(process.platform === 'linux').each(cases)('is %s if %s', async (expected, _, changes) => {
    const self = await currentOwner(since);
    expect(await livenessOf({ ...self, ...changes }, self, noSocket)).toBe(expected);
  });

  const withoutBootIds: [string, string, Partial<LockOwner>][] = [
    ['alive', 'it is this process', {}],
    ['gone', 'no process has its pid', { pid: 2 ** 22 + 7 }],
    ['unknown', 'it ran on another host', { host: 'elsewhere' }],
    ['unknown', 'it had a boot id', { boot: 'known' }],
  ];

  it.each(withoutBootIds)('is %s on a system without boot ids if %s', async (expected, _, changes) => {
    const self = { ...(await currentOwner(since)), boot: '', namespace: '', begun: '' };
    expect(await livenessOf({ ...self, ...changes }, self, noSocket)).toBe(expected);
  });

  it('is described by its process, host and time', async () => {
    expect(describeOwner(await currentOwner(since))).toBe(`process ${process.pid} on ${hostname()} since ${since}`);
  });

  it('has a process number and texts', async () => {
    const owner = await currentOwner(since);
    expect(isLockOwner(JSON.parse(JSON.stringify(owner)))).toBe(true);
    for (const field of Object.keys(owner)) expect(isLockOwner({ ...owner, [field]: null }), field).toBe(false);
    for (const other of [null, 'x', 1, [], {}]) expect(isLockOwner(other)).toBe(false);
  });
});
