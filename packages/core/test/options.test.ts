import { consoleLogger, createEngine, MemoryLink, MemoryLinkHub, MemoryStore } from '@blockwork/core';
import { describe, expect, it } from 'vitest';

const refusal = (option: string, reason: string): unknown =>
  expect.objectContaining({ code: 'OPTION_INVALID', facts: { option, reason: expect.stringContaining(reason) } });

describe('an option of the engine that cannot be used is refused at construction', () => {
  it.each<[string, string, object]>([
    ['blokcs', 'no such option (did you mean "blocks"?)', { blokcs: [] }],
    ['Store', 'did you mean "store"?', { Store: new MemoryStore() }],
    ['limits.itemPerPage', 'did you mean "itemsPerPage"?', { limits: { itemPerPage: 5 } }],
    ['limits.hops', 'a whole number from 1', { limits: { hops: 0 } }],
    ['policyFileLimits.ratio', 'a number above 0', { policyFileLimits: { ratio: -1 } }],
    ['policyFileLimits.ratios', 'did you mean "ratio"?', { policyFileLimits: { ratios: 5 } }],
    ['policyFileLimits.nesting', 'at most 1000', { policyFileLimits: { nesting: 1001 } }],
    ['instance.name', 'no such option; there are id, key', { instance: { name: 'north' } }],
    ['peers[1]', 'must be an object', { peers: [{ id: 'north', key: {}, identities: [] }, null] }],
    ['peers[0].identities', 'must be', { peers: [{ id: 'north', key: {}, identities: '*' }] }],
    ['trustedInstances[0]', 'must be a non-empty string', { trustedInstances: [5] }],
    ['operators[1]', 'must be a DID', { operators: ['did:example:operator', 'operator'] }],
    ['permissionTable', 'a list of permissions for each', { permissionTable: { USER: 'POLICIES_POLICY_READ' } }],
  ])('naming %s: %s', (option, reason, options) => {
    expect(() => createEngine(options)).toThrow(refusal(option, reason));
  });

  it.each([
    ...['store', 'clock', 'ids', 'logger', 'inspector', 'timers', 'link', 'keys', 'accounts', 'ledger'],
    ...['permissionTable', 'blocks', 'limits', 'policyFileLimits', 'instance', 'peers', 'autoApprove', 'sign'],
    ...['trustedInstances', 'operators', 'configure'],
  ])('naming %s, if it is null or of the wrong type', (option) => {
    for (const value of [null, 5, 'text']) {
      expect(() => createEngine({ [option]: value }), String(value)).toThrow(refusal(option, 'it must '));
    }
  });

  it.each([
    ['store', 'revision, get, find, count, commit, close', { get: () => undefined }],
    ['link', 'publish, subscribe, onLoss, status, close', new MemoryStore()],
    ['clock', 'the method now', { now: 5 }],
  ])('naming %s, if it is another object', (option, methods, value) => {
    expect(() => createEngine({ [option]: value })).toThrow(refusal(option, methods));
  });

  it.each([null, 5, []])('and so is what stands for all options: %j', (options) => {
    expect(() => createEngine(options as never)).toThrow(refusal('options', 'of type object'));
  });
});

describe('an option of a default that cannot be used is refused at construction', () => {
  it.each<[string, () => unknown]>([
    ['memory store: indexBytes', () => new MemoryStore({ indexBytes: -1 })],
    ['memory link: hub', () => new MemoryLink({ hub: {} as never })],
    ['memory link: retryMs', () => new MemoryLink({ retryMs: [5, 1] })],
    ['memory link hub: keptPerTopic', () => new MemoryLinkHub({ keptPerTopic: 0 })],
    ['memory link hub: keptKeys', () => new MemoryLinkHub({ keptKeys: 0 })],
    ['console logger: level', () => consoleLogger({ level: 'all' as never })],
    ['console logger: levle', () => consoleLogger({ levle: 'info' } as never)],
  ])('naming %s', (option, make) => {
    expect(make).toThrow(refusal(option, ''));
  });
});

it('an option that is undefined has its default', async () => {
  const limits = { hops: undefined } as never;
  await createEngine({
    store: undefined,
    blocks: undefined,
    limits,
    policyFileLimits: { ratio: undefined },
  } as never).close();
});
