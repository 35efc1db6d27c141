/** A mirror node: the ledger's history over REST, some seconds behind the network. What it says is checked for its form. */
import { z } from 'zod';
import { entity, timestamp, units, type AskMirror } from './mirror-rest.js';
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
  /** Units, as decimal text. */
  readonly balance: string;
  readonly isFrozen: boolean;
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
        balance: units,
        freeze_status: z.string(),
        kyc_status: z.string(),
      }),
    ),
  }),
};

/** Every method rejects if the mirror cannot be asked or answers nonsense. */
export function openMirror(ask: AskMirror): Mirror {
  return {
    async nodes() {
      const listed = (await ask('network/nodes?limit=25', answers.nodes))?.nodes ?? [];
      const endpoints = listed.flatMap(({ node_account_id: account, service_endpoints: endpoints }) =>
        endpoints
          .filter(({ ip_address_v4: ip, port }) => ip !== '' && port === PLAIN_PORT)
          .slice(0, 1)
          .map(({ ip_address_v4: ip, port }) => ({ account, address: `${ip}:${String(port)}` })),
      );
      if (endpoints.length === 0) throw new Error('The mirror lists no consensus node.');
      return endpoints;
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
      return (
        relation && {
          balance: relation.balance,
          isFrozen: relation.freeze_status === 'FROZEN',
          hasKyc: relation.kyc_status !== 'REVOKED',
        }
      );
    },
  };
}
