/** What clients make besides policies, as a restart finds it. */
import { isObject, type Json, type JsonObject } from '@blockwork/core/records';
import { z } from 'zod';

const text = z.string();
const flag = z.boolean();
const jsonObject = z.custom<JsonObject>((value) => isObject(value), 'must be an object');
const json = z.custom<Json>((value) => value !== undefined, 'must be JSON');

/** What all of them have: `id` is an id as those of the reference's database, `owner` a DID. */
const owned = { id: text, uuid: text, owner: text, createDate: text, updateDate: text };
const named = { ...owned, name: text, description: text };
const status = z.enum(['DRAFT', 'PUBLISHED']);

export const keptTag = z.object({
  ...{ id: text, uuid: text, owner: text, name: text, description: text, entity: text, localTarget: text, date: text },
  document: json,
});
export type Tag = Readonly<z.infer<typeof keptTag>>;

/** Schemas that belong to no policy: of a topic, of tags, of profiles. */
export const keptSchema = z.object({
  ...{ ...named, topicId: text, entity: text, status, version: text, document: jsonObject, context: jsonObject },
  category: z.enum(['POLICY', 'TAG', 'SYSTEM', 'MODULE', 'TOOL']),
  active: flag,
});
export type MadeSchema = Readonly<z.infer<typeof keptSchema>>;

/** A module or a tool, with its blocks. */
export const keptPart = z.object({
  ...{ ...named, status, menu: text, topicId: text, messageId: text, hash: text, config: jsonObject },
  tags: z.array(json),
});
export type Part = Readonly<z.infer<typeof keptPart>>;

/** Colours of blocks in the editor of the reference. */
export const keptTheme = z.object({
  ...{ ...named, rules: z.array(json), syntaxGroups: jsonObject, isDefault: flag },
});
export type Theme = Readonly<z.infer<typeof keptTheme>>;

/** A token that a registry has made, for its policies to use. Its id is that of the ledger. */
export const keptToken = z.object({
  ...{ id: text, owner: text, tokenName: text, tokenSymbol: text, decimals: text, initialSupply: text },
  tokenType: z.enum(['fungible', 'non-fungible']),
  ...{ changeSupply: flag, enableAdmin: flag, enableFreeze: flag, enableKYC: flag, enableWipe: flag },
  ...{ wipeContractId: text.nullable(), draftToken: flag, createDate: text },
});
export type MadeToken = Readonly<z.infer<typeof keptToken>>;

/** What an account has to do with such a token. `owner` is that of the token. */
export const keptRelation = z.object({
  ...{ id: text, owner: text, tokenId: text, account: text, associated: flag, frozen: flag, kyc: flag },
});
export type Relation = Readonly<z.infer<typeof keptRelation>>;

/** A file by its content identifier, in base64. */
export const keptFile = z.object({ id: text, owner: text, content: text });
export type KeptFile = Readonly<z.infer<typeof keptFile>>;

/** Settings of the whole sandbox, or of one registry, under a name. */
export const keptSetting = z.object({ id: text, owner: text, value: jsonObject });
export type Setting = Readonly<z.infer<typeof keptSetting>>;
