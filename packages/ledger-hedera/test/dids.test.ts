/** Keys of `did:hedera` from the ledger: only what the hash in the DID proves, whoever writes to the topic. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hederaDids, openDids } from '../src/index.js';
import { mirrorRest } from '../src/network/mirror-rest.js';
import { didsOn } from '../src/reading/dids.js';

const TOPIC = '0.0.1234';
const dids = hederaDids({ network: 'testnet', topic: TOPIC });
const { did, document } = dids.identityOf(new Uint8Array(32).fill(7));
const other = dids.identityOf(new Uint8Array(32).fill(8));

interface Announced {
  readonly did?: string;
  readonly type?: string;
  /** Its file; absent: it cannot be had. */
  readonly file?: unknown;
}

/** A topic with these messages in their order, and their files. */
function published(messages: readonly Announced[]) {
  const asked: string[] = [];
  const contents = new Map<string, Uint8Array>();
  const rows = messages.map(({ did: of = did, type = 'DID-Document', file }, at) => {
    const cid = createHash('sha256').update(String(at)).digest('hex');
    if (file !== undefined) contents.set(cid, Buffer.from(typeof file === 'string' ? file : JSON.stringify(file)));
    return {
      topic_id: TOPIC,
      consensus_timestamp: `17068232${String(100 + at)}.000000001`,
      payer_account_id: '0.0.9',
      sequence_number: at + 1,
      message: Buffer.from(JSON.stringify({ type, did: of, cid })).toString('base64'),
    };
  });
  const request = (url: unknown): Promise<Response> => {
    const after = Number(/sequencenumber=gt:(\d+)/.exec(url as string)?.[1] ?? 0);
    const page = { messages: rows.filter((row) => row.sequence_number > after).slice(0, 100) };
    return Promise.resolve(new Response(JSON.stringify(page)));
  };
  const files = {
    get: (cid: string) => {
      asked.push(cid);
      const content = contents.get(cid);
      return content === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(content);
    },
  };
  return { asked, resolve: (of = did) => didsOn(() => mirrorRest('http://mirror', 1000, request), files).resolve(of) };
}

describe('a did:hedera', () => {
  it('has the key of its document in its topic, among others and behind many messages', async () => {
    const between = Array.from({ length: 150 }, () => ({ type: 'VC-Document', file: document }));
    const { resolve, asked } = published([{ did: other.did, file: other.document }, ...between, { file: document }]);
    expect(await resolve()).toEqual({
      did,
      key: 'z6Mkevh7bMWWUda468bFjfFGtDxLXgkG8L46bsaXEwHD9Z3L',
      document,
      messageId: '17068232251.000000001',
      payer: '0.0.9',
    });
    expect(asked).toHaveLength(1);
  });

  it('has nothing that its hash does not prove, though somebody published it', async () => {
    const [own] = document['verificationMethod'] as object[];
    const [foreign] = other.document['verificationMethod'] as object[];
    const more = {
      ...document,
      verificationMethod: [foreign, own],
      service: [{ serviceEndpoint: 'https://else.example' }],
    };
    expect((await published([{ file: more }]).resolve())?.document).toEqual(document);
    const forged = { ...other.document, id: did };
    expect(
      await published([{ file: forged }, { file: 'no JSON' }, { file: [] }, { file: {} }]).resolve(),
    ).toBeUndefined();
  });

  it('is found behind documents that cannot be had, and else it is told that they cannot', async () => {
    expect(await published([{}, { file: document }]).resolve()).toMatchObject({ document });
    await expect(published([{}, { file: {} }]).resolve()).rejects.toThrow('no such file');
    const { resolve, asked } = published([...Array.from({ length: 30 }, () => ({ file: {} })), { file: document }]);
    expect(await resolve()).toBeUndefined();
    expect(asked).toHaveLength(20);
  });

  it.each(['did:key:z6Mk', 'did:hedera:testnet:abc', `${did}/../x`, 'did:hedera:;hedera:testnet:tid=0.0.1'])(
    'is nothing else: %s',
    async (text) => {
      await expect(published([]).resolve(text)).rejects.toThrow('is no did:hedera that names a topic');
    },
  );

  it('of a network without a known mirror needs its address', async () => {
    const files = { get: () => Promise.reject(new Error('no files')) };
    const elsewhere = hederaDids({ network: 'mine', topic: TOPIC }).identityOf(new Uint8Array(32).fill(7)).did;
    await expect(openDids({ files }).resolve(elsewhere)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    expect(() => openDids({ files: {} as never })).toThrow('must have the method get');
  });
});
