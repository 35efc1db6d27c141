/** What a new document inherits from the one it refers to and from the schema: relationships, accounts, tokens. */
import { isObject, type DocumentRecord, type JsonObject, type ReadContext } from '@blockwork/core/block';
import { accountsIn } from '../schemas/index.js';

export interface Ties {
  readonly relationships: string[];
  /** Account ids by field, and `default`: the owner's own. */
  readonly accounts: JsonObject;
  /** Token ids by the tag of their template. */
  readonly tokens: JsonObject;
}

/** The document's own accounts take precedence over those of the document that it refers to. */
export async function tiesOf(
  ctx: ReadContext,
  schema: JsonObject | null,
  subject: JsonObject,
  reference: DocumentRecord | undefined,
): Promise<Ties> {
  const account = await ctx.users.account(ctx.user.did);
  const messageId = reference?.messageId;
  return {
    relationships: typeof messageId === 'string' && messageId !== '' ? [messageId] : [],
    accounts: {
      ...objectOf(reference?.accounts),
      ...(account !== null && { default: account }),
      ...(schema !== null && accountsIn(schema, subject)),
    },
    tokens: objectOf(reference?.tokens),
  };
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {});
