/** The memory of a provider in a test; its own adapter writes a warning. */
import type { Adapter, AdapterPayload } from 'oidc-provider';

export function keptByProvider(): (name: string) => Adapter {
  const payloads = new Map<string, AdapterPayload>();
  return (name) => {
    const key = (id: string): string => `${name} ${id}`;
    const payloadWhere = (test: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...payloads].find(([each, payload]) => each.startsWith(`${name} `) && test(payload))?.[1];
    return {
      upsert: async (id, payload) => void payloads.set(key(id), payload),
      find: async (id) => payloads.get(key(id)),
      findByUid: async (uid) => payloadWhere((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => payloadWhere((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = payloads.get(key(id));
        if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void payloads.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [each, payload] of payloads) if (payload.grantId === grantId) payloads.delete(each);
      },
    };
  };
}
