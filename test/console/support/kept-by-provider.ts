/** The memory of a provider in a test; its own adapter writes a warning. */
import type { Adapter, AdapterPayload } from 'oidc-provider';

export function keptByProvider(): (name: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
  return (name) => {
    const key = (id: string): string => `${name} ${id}`;
    const found = (test: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...kept].find(([each, payload]) => each.startsWith(`${name} `) && test(payload))?.[1];
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => found((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => found((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = kept.get(key(id));
        if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [each, payload] of kept) if (payload.grantId === grantId) kept.delete(each);
      },
    };
  };
}
