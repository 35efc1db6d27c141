/** A mirror node: the ledger's history over REST, some seconds behind the network. What it says is checked for its form. */
import { z } from 'zod';
import { mirrorId, parseTransactionId } from '../wire/ids.js';
import type { NodeAddress } from './nodes.js';

export interface MirrorTransaction {
  /** The network's name of its result, `SUCCESS` or why not. */
  readonly result: string;
  /** `<seconds>.<nanoseconds>`. */
  readonly consensusAt: string;
  /** The topic, token or account that it made. */
  readonly entity: string | null;
  /** Fee in tinybars. */
  readonly fee: string;
  /** Serials that it moved or made. */
  readonly serials: readonly number[];
}

export interface MirrorRelation {
  readonly hasKyc: boolean;
}

export interface Mirror {
  /** The consensus nodes with their unencrypted addresses. */
  nodes(): Promise<NodeAddress[]>;
  /** The newest consensus time that it knows, in seconds since 1970. */
  newest(): Promise<number>;
  /** `undefined` if it does not know it, which may be because it lags. */
  transaction(transactionId: string): Promise<MirrorTransaction | undefined>;
  /** Whether there is an account with this id. */
  hasAccount(accountId: string): Promise<boolean>;
  /** `undefined` if the account is not associated with the token. */
  relation(accountId: string, tokenId: string): Promise<MirrorRelation | undefined>;
}

const timestamp = z.string().regex(/^\d{1,12}\.\d{9}$/);
const entity = z.string().regex(/^\d+\.\d+\.\d+$/);
const serial = z.number().int().positive();

/** Of the nodes' gRPC service without encryption. */
const PLAIN_PORT = 50_211;

const answers = {
  nodes: z.object({
    nodes: z.array(
      z.object({
        node_account_id: entity,
        service_endpoints: z.array(z.object({ ip_address_v4: z.string(), port: z.number() })),
      }),
    ),
  }),
  blocks: z.object({ blocks: z.array(z.object({ timestamp: z.object({ to: timestamp }) })) }),
  transactions: z.object({
    transactions: z.array(
      z.object({
        result: z.string().max(100),
        consensus_timestamp: timestamp,
        entity_id: entity.nullish(),
        charged_tx_fee: z.union([z.number(), z.string()]).nullish(),
        nft_transfers: z.array(z.object({ serial_number: serial })).nullish(),
      }),
    ),
  }),
  relations: z.object({
    tokens: z.array(
      z.object({
        token_id: entity,
        kyc_status: z.string(),
      }),
    ),
  }),
};

const ANSWER_BYTES = 4 * 1024 * 1024;

/** `url` is its address up to and without `/api`. Every method rejects if it cannot be asked or answers nonsense. */
export function openMirror(url: string, timeoutMs: number, request: typeof fetch = fetch): Mirror {
  const base = url.replace(/\/+$/, '');
  const ask = async <V>(path: string, schema: z.ZodType<V>): Promise<V | undefined> => {
    const answer = await request(`${base}/api/v1/${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    const content = await textOf(answer);
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`The mirror answers ${String(answer.status)} for ${path}.`);
    const read = schema.safeParse(JSON.parse(withTextAmounts(content)));
    if (!read.success) throw new Error(`The mirror's answer for ${path} has another form than expected.`);
    return read.data;
  };
  return {
    async nodes() {
      const listed = (await ask('network/nodes?limit=25', answers.nodes))?.nodes ?? [];
      const found = listed.flatMap(({ node_account_id: account, service_endpoints: endpoints }) =>
        endpoints
          .filter(({ ip_address_v4: ip, port }) => ip !== '' && port === PLAIN_PORT)
          .slice(0, 1)
          .map(({ ip_address_v4: ip, port }) => ({ account, address: `${ip}:${String(port)}` })),
      );
      if (found.length === 0) throw new Error('The mirror lists no consensus node.');
      return found;
    },
    async newest() {
      const [block] = (await ask('blocks?limit=1&order=desc', answers.blocks))?.blocks ?? [];
      if (block === undefined) throw new Error('The mirror knows no block.');
      return Number(block.timestamp.to);
    },
    async transaction(id) {
      const rows = (await ask(`transactions/${mirrorId(parseTransactionId(id))}`, answers.transactions))?.transactions;
      // Copies that other nodes took as well are listed under the same id; at most one has an effect.
      const row =
        rows?.find(({ result }) => result === 'SUCCESS') ??
        rows?.find(({ result }) => result !== 'DUPLICATE_TRANSACTION');
      if (row === undefined) return undefined;
      return {
        result: row.result,
        consensusAt: row.consensus_timestamp,
        entity: row.entity_id ?? null,
        fee: String(row.charged_tx_fee ?? 0),
        serials: (row.nft_transfers ?? []).map((moved) => moved.serial_number),
      };
    },
    hasAccount: async (id) => (await ask(`accounts/${id}?transactions=false`, z.object({}))) !== undefined,
    async relation(account, token) {
      const answer = await ask(`accounts/${account}/tokens?token.id=${token}`, answers.relations);
      const relation = answer?.tokens.find(({ token_id: id }) => id === token);
      if (relation === undefined) return undefined;
      return { hasKyc: relation.kyc_status !== 'REVOKED' };
    },
  };
}

/** Whole numbers that a JavaScript number does not hold exactly become texts. */
const withTextAmounts = (json: string): string => json.replace(/("charged_tx_fee"\s*:\s*)(-?\d{16,})/g, '$1"$2"');

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > ANSWER_BYTES) throw new Error('The answer of the mirror is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
