/** `definePolicy`: a policy as a literal, whose block types, members, tags and roles the compiler checks. */
import type { JsonObject } from '@blockwork/core/block';
import type { BlockMembers, CommonMembers } from './block-members.js';
import type { SchemaDefinition, SubjectOf } from './define-schema.js';

type BlockTypeName = Extract<keyof BlockMembers, string>;

/** A link from an output of one block to an input of another, both by tag. */
export interface LinkDefinition {
  readonly source: string;
  readonly output: string;
  readonly target: string;
  readonly input: string;
  /** For whom the target runs; for the same user where it is blank. */
  readonly actor?: '' | 'owner' | 'issuer' | null;
  readonly disabled?: boolean | null;
}

/** A block of one type, with the blocks in it. */
export type BlockOf<Type extends BlockTypeName> = Omit<CommonMembers, keyof BlockMembers[Type]> &
  BlockMembers[Type] & {
    readonly blockType: Type;
    readonly events?: readonly LinkDefinition[];
    readonly innerEvents?: readonly LinkDefinition[];
    readonly children?: readonly BlockDefinition[];
  };

export type BlockDefinition = { [Type in BlockTypeName]: BlockOf<Type> }[BlockTypeName];

/** The content of a policy file. The form of each part is in docs/policy.schema.json. */
export interface PolicyDefinition {
  readonly id?: string;
  readonly uuid?: string;
  readonly name: string;
  readonly version?: string;
  /** The format of the blocks; the newest where it is absent. */
  readonly codeVersion?: string;
  readonly description?: string;
  readonly topicDescription?: string;
  readonly policyTag?: string;
  readonly categories?: readonly string[];
  readonly projectSchema?: string;
  readonly policyRoles?: readonly string[];
  readonly policyGroups?: readonly {
    readonly name: string;
    /** The role of whoever founds the group. */
    readonly creator: string;
    readonly members?: readonly string[];
    readonly groupRelationshipType?: 'Single' | 'Multiple';
    readonly groupAccessType?: 'Private' | 'Global';
  }[];
  readonly policyTopics?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly type?: string;
    readonly static?: boolean;
    readonly memoObj?: string;
  }[];
  readonly policyTokens?: readonly { readonly templateTokenTag: string; readonly [fact: string]: unknown }[];
  readonly policyNavigation?: readonly {
    readonly role: string;
    readonly steps: readonly { readonly block: string; readonly name?: string; readonly level?: number }[];
  }[];
  readonly schemas?: readonly SchemaDefinition[];
  readonly tokens?: readonly {
    readonly tokenId: string;
    readonly tokenName: string;
    readonly tokenSymbol: string;
    readonly tokenType?: 'fungible' | 'non-fungible';
    readonly decimals?: number;
    readonly [fact: string]: unknown;
  }[];
  readonly config: BlockDefinition;
}

/** What every user is, without a role of the policy. */
type EveryRole = 'ANY_ROLE' | 'NO_ROLE' | 'OWNER';

type RolesOf<Policy> = Policy extends { readonly policyRoles: readonly (infer Role)[] } ? Role : never;

type TagsIn<Block> =
  | (Block extends { readonly tag: infer Tag } ? Tag : never)
  | (Block extends { readonly children: readonly (infer Child)[] } ? TagsIn<Child> : never);

/**
 * In the place of a value that is wrong, so that the compiler's message says why. Not the text itself: the literal of an
 * object in a list would become `never` as a whole.
 */
type Wrong<Message extends string> = Readonly<Record<Message, never>>;

type NameOf<Value> = Value extends string ? Value : '?';

/** What is written, without members that its type does not have. */
type Exact<Written, Allowed, Where extends string> = Written extends readonly (infer Item)[]
  ? readonly Exact<Item, ItemOf<Allowed>, Where>[]
  : Written extends object
    ? {
        readonly [Name in keyof Written]: Name extends KeysOf<Allowed>
          ? Exact<Written[Name], MemberOf<Allowed, Name>, Where>
          : Wrong<`${Where} has no member "${NameOf<Name>}"`>;
      }
    : Written;

type ItemOf<Allowed> = Allowed extends readonly (infer Item)[] ? Item : unknown;
type KeysOf<Allowed> = unknown extends Allowed ? PropertyKey : Allowed extends object ? keyof Allowed : never;
type MemberOf<Allowed, Name> = unknown extends Allowed
  ? unknown
  : Allowed extends object
    ? Name extends keyof Allowed
      ? Allowed[Name]
      : string extends keyof Allowed
        ? unknown
        : never
    : never;

/** A text that is not a literal: nothing is known of it. */
type IsOpen<Text> = string extends Text ? true : false;

type CheckedRoles<Roles, Known> = Roles extends readonly (infer Role)[]
  ? readonly (true extends IsOpen<Role> | IsOpen<Known> | (Role extends Known | EveryRole ? true : false)
      ? Role
      : Wrong<`The policy has no role "${NameOf<Role>}"`>)[]
  : Roles;

type CheckedLink<Link, Tags> = {
  readonly [Name in keyof Link]: Name extends 'source' | 'target'
    ? true extends IsOpen<Link[Name]> | IsOpen<Tags> | (Link[Name] extends Tags ? true : false)
      ? Link[Name]
      : Wrong<`No block has the tag "${NameOf<Link[Name]>}"`>
    : Name extends keyof LinkDefinition
      ? Link[Name]
      : Wrong<`A link has no member "${NameOf<Name>}"`>;
};

type CheckedLinks<Links, Tags> = Links extends readonly unknown[]
  ? { readonly [Place in keyof Links]: CheckedLink<Links[Place], Tags> }
  : Links;

type CheckedMember<Type extends BlockTypeName, Name, Value, Tags, Roles> = Name extends 'children'
  ? CheckedBlocks<Value, Tags, Roles>
  : Name extends 'events' | 'innerEvents'
    ? CheckedLinks<Value, Tags>
    : Name extends 'permissions'
      ? CheckedRoles<Value, Roles>
      : Name extends keyof BlockOf<Type>
        ? Exact<Value, BlockOf<Type>[Name], `"${NameOf<Name>}" of a ${Type}`>
        : string extends keyof BlockOf<Type>
          ? Value
          : Wrong<`A ${Type} has no member "${NameOf<Name>}"`>;

type CheckedBlock<Block, Tags, Roles> = Block extends { readonly blockType: infer Type extends BlockTypeName }
  ? { readonly [Name in keyof Block]: CheckedMember<Type, Name, Block[Name], Tags, Roles> }
  : BlockDefinition;

type CheckedBlocks<Blocks, Tags, Roles> = Blocks extends readonly unknown[]
  ? { readonly [Place in keyof Blocks]: CheckedBlock<Blocks[Place], Tags, Roles> }
  : Blocks;

type CheckedPolicy<Policy> = {
  readonly [Name in keyof Policy]: Name extends 'config'
    ? CheckedBlock<Policy[Name], TagsIn<Policy[Name]>, RolesOf<Policy>>
    : Name extends keyof PolicyDefinition
      ? Policy[Name]
      : Wrong<`A policy has no member "${NameOf<Name>}"`>;
};

/**
 * Returns the policy as it is. The compiler refuses a block type that there is not, a member that a block does not have, a link from or
 * to a tag that no block has, and a permission that is no role of the policy. What remains, `blockwork validate` finds.
 *
 * Block types of your own are known once they are declared:
 *
 * ```ts
 * declare module '@blockwork/blocks' {
 *   interface BlockMembers {
 *     readonly ballotBlock: { readonly tag: string; readonly choices: readonly string[] };
 *   }
 * }
 * ```
 *
 * @example
 * const policy = definePolicy({
 *   name: 'Votes',
 *   policyRoles: ['Member'],
 *   config: {
 *     blockType: 'interfaceContainerBlock',
 *     tag: 'root',
 *     permissions: ['ANY_ROLE'],
 *     uiMetaData: { type: 'blank' },
 *     children: [{ blockType: 'policyRolesBlock', tag: 'join', permissions: ['NO_ROLE'], roles: ['Member'] }],
 *   },
 * });
 * await engine.importPolicy(owner, policy);
 */
export function definePolicy<const Policy extends PolicyDefinition>(
  policy: Policy & CheckedPolicy<Policy>,
): Policy & DefinedPolicy {
  return policy as unknown as Policy & DefinedPolicy;
}

declare const defined: unique symbol;

/** A policy that `definePolicy` has checked. Only the compiler sees the mark. */
export type DefinedPolicy = JsonObject & { readonly [defined]: true };

/** Every block of a tree, as it is written. */
type BlocksIn<Block> =
  Block | (Block extends { readonly children: readonly (infer Child)[] } ? BlocksIn<Child> : never);

type SchemasOf<Policy> = Policy extends { readonly schemas: infer Schemas } ? Schemas : readonly [];

type SubjectOfIri<Policy, Iri> =
  SchemasOf<Policy> extends readonly (infer Schema)[]
    ? SubjectOf<Extract<Schema, { readonly iri: Iri }>, SchemasOf<Policy>>
    : unknown;

/** The tags of a policy that is written as code. */
export type TagOf<Policy> = Policy extends { readonly config: infer Config } ? Extract<TagsIn<Config>, string> : string;

/** The tags of its forms: blocks that ask for a document of a schema. */
export type FormOf<Policy> = Policy extends { readonly config: infer Config }
  ? Extract<TagsIn<Extract<BlocksIn<Config>, FormBlock>>, string>
  : string;

interface FormBlock {
  readonly blockType: 'requestVcDocumentBlock';
  readonly schema: string;
}

/** What the form takes, from its schema. */
export type DocumentOf<Policy, Tag> = Policy extends { readonly config: infer Config }
  ? Extract<BlocksIn<Config>, FormBlock & { readonly tag: Tag }> extends { readonly schema: infer Iri }
    ? SubjectOfIri<Policy, Iri>
    : unknown
  : unknown;
