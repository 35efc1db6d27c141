/** A bench in which documents are signed, published and stored before they reach the block under test. */
import { asJson, defineBlock } from '@blockwork/core/block';
import type { BlockType, DocumentRecord, Json, JsonObject, RunContext } from '@blockwork/core/block';
import { blockBench, type BenchSetup, type BlockBench } from '@blockwork/testing';
import { z } from 'zod';

export const TOKEN = '0.0.1001';
export const CERTIFICATES = '0.0.1002';

const tokens = [
  { tokenId: TOKEN, tokenName: 'Carbon', tokenSymbol: 'CO2', tokenType: 'fungible', decimals: '4' },
  { tokenId: CERTIFICATES, tokenName: 'Certificate', tokenSymbol: 'REC', tokenType: 'non-fungible', decimals: 0 },
];

const cases = z.array(
  z.looseObject({ subject: z.record(z.string(), z.json()), forged: z.record(z.string(), z.json()).optional() }),
);

/** Signs each subject in the sender's name, and runs the block with the stored documents. `forged` changes one afterwards. */
const signer = defineBlock({
  type: 'benchSigner',
  title: 'Signer',
  description: 'Signs, publishes and stores documents, and runs the block under test with them.',
  kind: 'interface',
  input: cases,
  async receive(ctx, documents) {
    const stored: DocumentRecord[] = [];
    for (const { subject, forged = {}, ...more } of documents) {
      stored.push(await store(ctx, subject, forged, more as JsonObject));
    }
    return asJson(stored);
  },
});

async function store(
  ctx: RunContext,
  subject: JsonObject,
  forged: JsonObject,
  more: JsonObject,
): Promise<DocumentRecord> {
  const issuer = ctx.user.did;
  const document = await ctx.credentials.issue({ issuer, subject });
  const hash = ctx.credentials.hash(document);
  const relationships = z.array(z.string()).catch([]).parse(more.relationships);
  const facts = { topic: 'root', type: 'vc-document', owner: issuer, hash, relationships };
  const { id: messageId } = await ctx.ledger.publish(facts);
  const credentialSubject = [{ ...subject, ...forged }];
  const signed = { ...document, ...(Object.keys(forged).length > 0 && { credentialSubject }) };
  return ctx.documents.add({ owner: issuer, hash, messageId, document: signed, ...more });
}

export interface SignedBench extends BlockBench {
  /** Stores documents of these subjects as the user, who is `did:bench:<name>`. */
  signed(name: string, ...documents: JsonObject[]): Promise<DocumentRecord[]>;
  /** Runs the block with data, as `RunEvent` unless another input is named. */
  run(data: unknown, input?: string): Promise<void>;
}

/** The bench's policy has a fungible token with four decimals and a non-fungible one. */
export function signedBench(type: BlockType, setup: BenchSetup = {}): SignedBench {
  const parent = setup.parent ?? { blockType: 'interfaceContainerBlock', tag: 'page' };
  const signing = { blockType: 'benchSigner', tag: 'signer' };
  const bench = blockBench(type, {
    ...setup,
    parent: { ...parent, children: [...(parent.children ?? []), signing] },
    blocks: [...(setup.blocks ?? []), signer],
    policy: { tokens, ...setup.policy },
  });
  return {
    ...bench,
    signed: async (name, ...documents) => {
      const session = bench.as({ did: `did:bench:${name}` }).at('signer');
      return (await session.send(documents)) as unknown as DocumentRecord[];
    },
    run: (data, input = 'RunEvent') => bench.as('OWNER').event(input, data as Json),
  };
}
