/** Reading what was published: from mirrors and gateways that answer what they like. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { gatewayFiles } from '../src/index.js';
import { publicationsOn } from '../src/reading/publications.js';
import { mirrorRest } from '../src/network/mirror-rest.js';
import { fileBlocks } from './support/file-blocks.js';

const golden = JSON.parse(await readFile(new URL('golden/cids.json', import.meta.url), 'utf8')) as {
  readonly files: readonly (readonly [size: number, cid: string])[];
};
const contentOf = (size: number): Buffer =>
  size === 0 ? Buffer.alloc(0) : createHash('shake256', { outputLength: size }).update(String(size)).digest();

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A gateway with these blocks; `bend` changes what it answers. */
async function gateway(
  blocks: ReadonlyMap<string, Uint8Array>,
  bend: (block: Uint8Array) => Uint8Array = (block) => block,
) {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    const [, cid = '', query = ''] = /^\/ipfs\/(\w+)\?(.*)$/.exec(request.url ?? '') ?? [];
    asked.push(cid);
    const block = blocks.get(cid);
    if (block === undefined || query !== 'format=raw') reply.writeHead(404).end();
    else reply.writeHead(200).end(bend(block));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
}

describe('a file of IPFS', () => {
  it('is read block by block under the CID that another program gave it', async () => {
    for (const [size, cid] of golden.files.filter((_, at) => at % 20 < 10).slice(0, 20)) {
      const { root, blocks } = fileBlocks(contentOf(size));
      expect(root).toBe(cid);
      const { url } = await gateway(blocks);
      expect(Buffer.from(await gatewayFiles({ url }).get(cid)).equals(contentOf(size))).toBe(true);
    }
  });

  it('is read however it was cut, also in the old form', async () => {
    // The CID that IPFS's documentation gives for this text.
    const hello = fileBlocks(Buffer.from('hello world\n'), { isOld: true });
    expect(hello.root).toBe('QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o');
    for (const form of [{ chunkBytes: 1_048_576 }, { isOld: true }, { isOld: true, chunkBytes: 1000 }]) {
      const content = contentOf(1_300_000).subarray(0, form.chunkBytes === 1000 ? 300_000 : undefined);
      const { root, blocks } = fileBlocks(content, form);
      const { url } = await gateway(blocks);
      expect(Buffer.from(await gatewayFiles({ url }).get(root)).equals(content)).toBe(true);
    }
  });

  it('is not read from a gateway that changes a single byte of any block', async () => {
    const { root, blocks } = fileBlocks(contentOf(600_000));
    for (const bent of blocks.values()) {
      const { url } = await gateway(blocks, (block) =>
        block === bent ? Buffer.from(block).fill((block[7] ?? 0) ^ 1, 7, 8) : block,
      );
      await expect(gatewayFiles({ url }).get(root)).rejects.toThrow('another content than its CID says');
    }
  });

  it('is not read beyond its limits', async () => {
    const { root, blocks } = fileBlocks(contentOf(600_000));
    const { url } = await gateway(blocks);
    await expect(gatewayFiles({ url, fileBytes: 500_000 }).get(root)).rejects.toThrow('more than 500000 bytes');
    await expect(gatewayFiles({ url }).get(root, 400_000)).rejects.toThrow('more than 400000 bytes');
    let deep = fileBlocks(contentOf(10)).root;
    const tower = new Map(fileBlocks(contentOf(10)).blocks);
    for (let level = 0; level < 12; level += 1) {
      const { root: above, blocks: more } = fileBlocks([deep]);
      for (const [cid, block] of more) tower.set(cid, block);
      deep = above;
    }
    await expect(gatewayFiles({ url: (await gateway(tower)).url }).get(deep)).rejects.toThrow('too many blocks');
    await expect(gatewayFiles({ url }).get('../../etc/passwd')).rejects.toThrow('is not the CID of a file');
    await expect(gatewayFiles({ url }).get(fileBlocks(contentOf(5)).root)).rejects.toThrow('answers 404');
  });

  it('is not read from where a gateway sends to', async () => {
    const server = createServer((_, reply) => reply.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await expect(gatewayFiles({ url }).get(fileBlocks(contentOf(5)).root)).rejects.toThrow();
  });
});

const ARCHIVE = contentOf(1000);
const CID = fileBlocks(ARCHIVE).root;
const ID = '1706823227.586179534';
const policy = {
  id: 'fd4a53a6-9b3e-4f7d-8f1d-3c1b7a3e5a10',
  status: 'ISSUE',
  type: 'Instance-Policy',
  action: 'publish-policy',
  lang: 'en-US',
  uuid: 'u',
  name: 'Sölär',
  version: '1.2.0',
  owner: 'did:hedera:testnet:abc_0.0.1',
  cid: CID,
  uri: `ipfs://${CID}`,
};

interface Piece {
  readonly text: string | Uint8Array;
  readonly number?: number;
  readonly total?: number;
  readonly payer?: string;
  readonly start?: string;
  readonly at?: string;
}

/** A mirror with the pieces in one topic, in this order. */
function mirrorOf(pieces: readonly Piece[]) {
  const rows = pieces.map(({ text, number = 1, total = 1, payer = '0.0.9', start = '1.000000001', at }, place) => ({
    topic_id: '0.0.5',
    consensus_timestamp: at ?? `17068232${String(30 + place)}.000000001`,
    payer_account_id: payer,
    sequence_number: place + 7,
    message: Buffer.from(text).toString('base64'),
    chunk_info: {
      initial_transaction_id: { account_id: payer, transaction_valid_start: start, nonce: 0, scheduled: false },
      number,
      total,
    },
  }));
  const request = (url: unknown): Promise<Response> => {
    const path = (url as string).replace('http://mirror/api/v1/', '');
    const [, one] = /^topics\/messages\/(.+)$/.exec(path) ?? [];
    const after = Number(/sequencenumber=gt:(\d+)/.exec(path)?.[1] ?? 0);
    const answer =
      one === undefined
        ? { messages: rows.filter((row) => row.sequence_number > after).slice(0, 100) }
        : rows.find((row) => row.consensus_timestamp === one);
    return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer === undefined ? 404 : 200 }));
  };
  return mirrorRest('http://mirror', 1000, request);
}

const files = {
  get: (cid: string) => (cid === CID ? Promise.resolve(ARCHIVE) : Promise.reject(new Error(`no file ${cid}`))),
};
const read = (pieces: readonly Piece[], id = ID) => publicationsOn(mirrorOf(pieces), files).read(id);

describe('what was published under a message', () => {
  it('is told with its file, and as whose it was published', async () => {
    expect(await read([{ text: JSON.stringify(policy), at: ID }])).toEqual({
      kind: 'policy',
      messageId: ID,
      topicId: '0.0.5',
      payer: '0.0.9',
      name: 'Sölär',
      version: '1.2.0',
      owner: 'did:hedera:testnet:abc_0.0.1',
      hash: '',
      cid: CID,
      file: ARCHIVE,
    });
    expect(await read([{ text: JSON.stringify(policy), at: ID }], '1706823227.000000000')).toBeUndefined();
  });

  it('is joined from its pieces as bytes, however others send between and pretend', async () => {
    const whole = Buffer.from(JSON.stringify({ ...policy, description: 'ü'.repeat(700) }));
    // Within a character.
    const cuts = [0, 901, 1500, whole.length];
    const pieceOf = (at: number) => ({ text: whole.subarray(cuts[at], cuts[at + 1]), number: at + 1, total: 3 });
    const [one, two, three] = [pieceOf(0), pieceOf(1), pieceOf(2)];
    const pieces = [
      { ...one, at: ID },
      { text: 'of another payer', number: 2, total: 3, payer: '0.0.10' },
      { text: 'of another message', number: 2, total: 3, start: '2.000000001' },
      { text: 'of another kind', number: 2, total: 2 },
      three,
      ...Array.from({ length: 120 }, () => ({ text: 'between' })),
      two,
      { ...two, text: 'once more' },
    ];
    expect(await read(pieces)).toMatchObject({ kind: 'policy', name: 'Sölär' });
    await expect(read(pieces.slice(0, 5))).rejects.toThrow('does not show all pieces');
    await expect(read([{ ...two, at: ID }])).rejects.toThrow('that of a later piece');
    await expect(read([{ ...one, total: 1000, at: ID }])).rejects.toThrow('too many pieces');
  });

  it.each([
    ['no JSON', 'hello'],
    ['another kind of message', JSON.stringify({ ...policy, type: 'VC-Document' })],
    ['a draft', JSON.stringify({ ...policy, type: 'Policy', action: 'create-policy' })],
    ['a list', '[]'],
  ])('is nothing if the message is %s', async (_, text) => {
    await expect(read([{ text, at: ID }])).rejects.toThrow(
      'publishes neither a policy, nor a tool, a module or a schema',
    );
  });

  it('is said to have no file if it names none', async () => {
    const text = JSON.stringify({ ...policy, cid: undefined });
    await expect(read([{ text, at: ID }])).rejects.toThrow(
      `The message ${ID} publishes a policy without its file, so that nobody can read it from there. Ask whoever published it for the file.`,
    );
  });

  it.each(['1', '../accounts/0.0.2', '1706823227.5', `${ID}?x`])('is not asked for under %s', async (id) => {
    await expect(read([], id)).rejects.toThrow('is not the id of a message');
  });

  it('is a tool for a policy that names its message and its hash', async () => {
    const text = JSON.stringify({ ...policy, type: 'Tool', action: 'publish-tool', hash: 'h' });
    const tools = publicationsOn(mirrorOf([{ text, at: ID }]), files);
    expect(await tools.find({ messageId: ID, hash: 'h' })).toEqual(ARCHIVE);
    expect(await tools.find({ messageId: ID, hash: 'other' })).toBeUndefined();
    const asPolicy = publicationsOn(mirrorOf([{ text: JSON.stringify({ ...policy, hash: 'h' }), at: ID }]), files);
    expect(await asPolicy.find({ messageId: ID, hash: 'h' })).toBeUndefined();
  });
});

describe('a schema that was published under a message', () => {
  const uuid = '3c1b7a3e-9b3e-4f7d-8f1d-fd4a53a65a10';
  const document = { $id: `#${uuid}&1.0.0`, type: 'object', properties: { depth: { type: 'number' } } };
  const context = { '@context': { '@version': 1.1 } };
  const about = {
    ...{ id: uuid, status: 'ISSUE', type: 'Schema', action: 'publish-schema', lang: 'en-US' },
    ...{ name: 'Well', description: 'A well', entity: 'EVC', owner: 'did:example:a', uuid, version: '1.0.0' },
    ...{ document_cid: 'document', context_cid: 'context', relationships: [], code_version: '1.2.0' },
  };
  const readWith = (message: object, contents: Readonly<Record<string, string | Buffer>> = {}) => {
    const all = { document: JSON.stringify(document), context: JSON.stringify(context), ...contents };
    const get = (cid: string): Promise<Uint8Array> => {
      const content = all[cid as 'document'] as string | Buffer | undefined;
      return content === undefined
        ? Promise.reject(new Error(`no file ${cid}`))
        : Promise.resolve(Buffer.from(content));
    };
    return publicationsOn(mirrorOf([{ text: JSON.stringify({ ...about, ...message }), at: ID }]), { get }).read(ID);
  };

  it('is told with both files, as policies list it', async () => {
    const publication = await readWith({});
    const { file = Buffer.alloc(0), ...facts } = publication ?? {};
    expect(facts).toEqual({
      ...{ kind: 'schema', messageId: ID, topicId: '0.0.5', payer: '0.0.9', name: 'Well', version: '1.0.0' },
      ...{ owner: 'did:example:a', hash: '', cid: 'document', contextCid: 'context' },
    });
    expect(JSON.parse(Buffer.from(file).toString())).toEqual({
      ...{ iri: `#${uuid}&1.0.0`, uuid, version: '1.0.0', name: 'Well', description: 'A well', entity: 'EVC' },
      ...{ owner: 'did:example:a', codeVersion: '1.2.0', status: 'PUBLISHED', messageId: ID, topicId: '0.0.5' },
      ...{ documentURL: 'ipfs://document', contextURL: 'ipfs://context', document, context },
    });
  });

  it('may be one without a version in its name, and may leave out what is only shown', async () => {
    const unversioned = JSON.stringify({ ...document, $id: `#${uuid}` });
    expect(await readWith({ version: null }, { document: unversioned })).toMatchObject({ kind: 'schema', version: '' });
    const bare = { name: undefined, owner: null, uuid: undefined, code_version: null, entity: undefined };
    expect(await readWith(bare)).toMatchObject({ kind: 'schema', name: '', owner: '' });
    const iriOf = async (message: object): Promise<unknown> => {
      const { file = Buffer.alloc(0) } = (await readWith(message, { document: '{"type": "object"}' })) ?? {};
      return (JSON.parse(Buffer.from(file).toString()) as { iri: unknown }).iri;
    };
    expect(await iriOf({})).toBe(`#${uuid}&1.0.0`);
    expect(await iriOf({ version: '' })).toBe(`#${uuid}`);
  });

  it.each<[string, object, Readonly<Record<string, string | Buffer>>, string]>([
    ['names no context', { context_cid: undefined }, {}, 'does not name its files'],
    ['names files that cannot be had', { document_cid: 'gone' }, {}, 'no file gone'],
    ['names a file that is no JSON', {}, { document: 'hello' }, 'is no schema, or has an $id unlike'],
    ['names a schema of a strange name', {}, { document: '{"$id": "well"}' }, 'is no schema, or has an $id unlike'],
    ['names a schema without a name', { uuid: '' }, { document: '{}' }, 'has no $id, and the message 17'],
    ['names a context that is none', {}, { context: '{"context": {}}' }, 'is no JSON-LD context'],
    ['says another version', { version: '2.0.0' }, {}, 'and the message says 3c1b7a3e'],
    ['says another schema', { uuid: 'another' }, {}, 'and the message says another in version 1.0.0'],
    ['names a large document', {}, { document: Buffer.alloc(4 * 2 ** 20 + 1, 32) }, 'has more than 4194304 bytes'],
    ['names a large context', {}, { context: Buffer.alloc(4 * 2 ** 20 + 1, 32) }, 'has more than 4194304 bytes'],
  ])('is not read if the message %s', async (_, message, contents, reason) => {
    await expect(readWith(message, contents)).rejects.toThrow(reason);
  });

  it('asks for no more of a file than it may have', async () => {
    const asked: (number | undefined)[] = [];
    const get = (cid: string, bytesAtMost?: number): Promise<Uint8Array> => {
      asked.push(bytesAtMost);
      return Promise.resolve(Buffer.from(JSON.stringify(cid === 'document' ? document : context)));
    };
    await publicationsOn(mirrorOf([{ text: JSON.stringify(about), at: ID }]), { get }).read(ID);
    expect(asked).toEqual([4_194_304, 4_194_304]);
  });
});
