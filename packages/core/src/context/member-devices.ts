/** Devices: identities whose keys were registered by members. */
import { keyNamedBy } from '../credentials/index.js';
import { INSTANCE } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';

/** The member who registered the device; `undefined` for other identities and for revoked keys. */
export async function memberOfDevice(records: RecordReader, device: string): Promise<string | undefined> {
  const key = keyNamedBy(device);
  if (key === undefined) return undefined;
  const registered = await records.get('identity-key', INSTANCE, key);
  if (registered?.did !== device || registered.revokeDate !== undefined) return undefined;
  return registered.member;
}
