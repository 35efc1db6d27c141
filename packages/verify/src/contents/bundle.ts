/** Bundles as a verifier reads them: every member has its type, or the bundle is refused. */
import { isObject, type JsonObject } from '../json.js';
import { count, each, exactly, object, oneOf, optional, or, type Shape, span, text } from './shape.js';

const FORMAT = 'blockwork-bundle/1';

export interface Role {
  readonly did: string;
  readonly role: string;
  readonly group: string;
  readonly since: string;
  readonly messageId?: string;
}

export interface Stored {
  readonly id: string;
  readonly schema?: string;
  readonly type?: string;
  readonly messageId?: string;
  readonly relationships: readonly string[];
  readonly document: JsonObject;
}

export interface Message {
  readonly id: string;
  readonly ledgerId?: string;
  readonly topicId: string;
  readonly type: string;
  readonly owner: string;
  readonly hash: string;
  readonly relationships: readonly string[];
  readonly memo: string;
}

export interface Mint {
  readonly id: string;
  readonly tokenId: string;
  readonly accountId: string;
  readonly units: string;
  readonly amount: string;
  readonly serials?: readonly (readonly [number, number])[];
  readonly memo: string;
}

export interface Token {
  readonly id: string;
  readonly ledgerId?: string;
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenType: string;
  readonly decimals: number;
  readonly supply: string;
  readonly book: readonly { readonly id: string; readonly type: string; readonly units: string }[] | null;
}

export interface Identity {
  readonly did: string;
  readonly document?: JsonObject;
  readonly keys: readonly {
    readonly key: string;
    readonly member: string;
    readonly createDate: string;
    readonly revokeDate?: string;
  }[];
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly context: string;
  readonly document: JsonObject | null;
}

/** An entry of the journal that added documents. */
export interface LoggedEntry {
  readonly id: string;
  readonly at: string;
  readonly documents: Readonly<Record<'added' | 'changed' | 'removed', readonly string[]>>;
  readonly effects: readonly string[];
  readonly course: string;
  readonly index: number;
  readonly hashes: readonly string[];
}

/** An earlier state of the log, and the proof that the log continues it. */
export interface EarlierLog {
  readonly size: number;
  /** In Base64, as the hashes. */
  readonly root: string;
  readonly hashes: readonly string[];
  /** The message on the ledger that has its checkpoint. */
  readonly messageId?: string;
}

export interface Bundle {
  readonly created: string;
  readonly about: { readonly kind: string; readonly documentId: string };
  readonly policy: {
    readonly id: string;
    readonly name: string;
    readonly version: string;
    readonly status: string;
    readonly owner: string;
    readonly messageId: string;
    readonly definition: JsonObject;
    readonly hash: string;
  };
  readonly schemas: readonly Schema[];
  readonly contexts?: readonly { readonly address: string; readonly document: JsonObject }[];
  readonly identities: readonly Identity[];
  readonly roles: readonly Role[];
  readonly documents: readonly Stored[];
  readonly messages: readonly Message[];
  readonly mints: readonly Mint[];
  readonly tokens: readonly Token[];
  readonly missing: readonly string[];
  readonly log?: {
    readonly checkpoint: string;
    readonly key: string;
    readonly entries: readonly LoggedEntry[];
    readonly earlier?: readonly EarlierLog[];
  };
  readonly seal: { readonly digest: string; readonly proof?: JsonObject };
}

/** Documents, messages or roles; an instance puts fewer into a bundle. Checks compare some with all others. */
const MOST = 3_000;

const units = text(/^\d{1,40}$/);
const digest = text(/^[\da-f]{64}$/);
const hash = text(/^[A-Za-z0-9+/]{43}=$/);

const shape: Shape = exactly({
  format: oneOf(FORMAT),
  created: text(),
  about: exactly({ kind: oneOf('document', 'mint'), documentId: text() }),
  policy: exactly({
    ...{ id: text(), uuid: text(), name: text(), version: text(), status: text(), owner: text(), policyTag: text() },
    ...{ topicId: text(), messageId: text(), definition: object, hash: digest },
  }),
  schemas: each(exactly({ id: text(), name: text(), context: text(), document: or(object) })),
  contexts: optional(each(exactly({ address: text(), document: object }), MOST)),
  identities: each(
    exactly({
      did: text(),
      document: optional(object),
      keys: each(exactly({ key: text(), member: text(), createDate: text(), revokeDate: optional(text()) })),
    }),
  ),
  roles: each(exactly({ did: text(), role: text(), group: text(), since: text(), messageId: optional(text()) }), MOST),
  documents: each(
    exactly({
      ...{ id: text(), schema: optional(text()), type: optional(text()), messageId: optional(text()) },
      ...{ relationships: each(text()), document: object },
    }),
    MOST,
  ),
  messages: each(
    exactly({
      ...{ id: text(), topicId: text(), type: text(), owner: text(), hash: text(), memo: text() },
      ...{ relationships: each(text()), ledgerId: optional(text()) },
    }),
    MOST,
  ),
  mints: each(
    exactly({
      ...{ id: text(), tokenId: text(), accountId: text(), units, amount: text(), memo: text() },
      ...{ serials: optional(each(span)) },
    }),
  ),
  tokens: each(
    exactly({
      ledgerId: optional(text()),
      ...{ id: text(), tokenName: text(), tokenSymbol: text(), decimals: count(18), supply: units },
      tokenType: oneOf('fungible', 'non-fungible'),
      book: or(each(exactly({ id: text(), type: oneOf('mint', 'wipe'), units }))),
    }),
  ),
  missing: each(text()),
  log: optional(
    exactly({
      ...{ checkpoint: text(), key: text() },
      entries: each(
        exactly({
          ...{ id: text(), at: text(), course: digest, index: count(Number.MAX_SAFE_INTEGER) },
          documents: exactly({ added: each(text()), changed: each(text()), removed: each(text()) }),
          effects: each(text()),
          hashes: each(hash, 64),
        }),
        MOST,
      ),
      earlier: optional(
        each(
          exactly({
            ...{ size: count(Number.MAX_SAFE_INTEGER), root: hash, hashes: each(hash, 128) },
            messageId: optional(text()),
          }),
          2,
        ),
      ),
    }),
  ),
  seal: exactly({ digest, proof: optional(object) }),
});

/** The bundle, or why the value is none. */
export function readBundle(value: unknown): Bundle | string {
  if (!isObject(value)) return 'It is not a JSON object.';
  if (value.format !== FORMAT) return `Its format is not "${FORMAT}", the one that this program knows.`;
  return shape(value, '') ?? (value as unknown as Bundle);
}
