/** Publishes the DID document of whoever signs in a policy, where everybody who reads its topic finds the key. */
import type { RunContext } from '../block-api/index.js';
import { allOf, equalTo } from '../records/index.js';

/** Once in each policy, before the first message that names the identity. No-op if its document is not known. */
export async function publishIdentity(
  { credentials, ledger }: Pick<RunContext, 'credentials' | 'ledger'>,
  did: string,
): Promise<void> {
  const document = await credentials.rootDocument(did);
  if (document === undefined) return;
  const hash = credentials.hash({ id: did });
  const [before] = await ledger.messages(allOf(equalTo('hash', hash), equalTo('type', 'did-document')));
  if (before === undefined)
    await ledger.publish({ topic: 'root', type: 'did-document', owner: did, hash, body: { did, document }, document });
}
