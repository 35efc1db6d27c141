/** A policy as the editor of the reference sends it, as the engine reads definitions. */
import type { JsonObject, PolicyDefinition } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { z } from 'zod';
import type { MadeToken } from '../memory/things.js';

const part = z.unknown().optional();

/** Other members, such as the identity of the policy, are not the client's to choose. */
export const editedPolicy = z.object({
  ...{ name: z.string().max(500).optional(), description: z.string().max(100_000).nullish() },
  topicDescription: z.string().max(100_000).nullish(),
  ...{ policyRoles: part, policyGroups: part, policyNavigation: part, policyTopics: part, policyTokens: part },
  categories: part,
  config: z.record(z.string(), z.unknown()),
});

/** What the client leaves out stays as it was. */
export function withEdits(
  before: PolicyDefinition,
  edits: z.infer<typeof editedPolicy>,
  tokens: readonly MadeToken[],
): object {
  const given = Object.fromEntries(Object.entries(edits).filter(([, value]) => value !== undefined && value !== null));
  return { ...before, ...given, tokens: withNamed(before.tokens, edits.config, tokens) };
}

/** Blocks name tokens of the registry, which belong to the policy from then on. */
function withNamed(before: readonly JsonObject[], config: unknown, tokens: readonly MadeToken[]): readonly object[] {
  const named = new Set(tokenIdsIn(config));
  const present = new Set(before.map(({ tokenId }) => tokenId));
  return [...before, ...tokens.filter(({ id }) => named.has(id) && !present.has(id)).map(definedToken)];
}

/** As in files of policies. */
const definedToken = ({ id, owner: _owner, ...token }: MadeToken): object => ({ tokenId: id, ...token });

function tokenIdsIn(config: unknown): string[] {
  const ids: string[] = [];
  const open: unknown[] = [config];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...(value as unknown[]));
    else if (isObject(value)) {
      if (typeof value['tokenId'] === 'string') ids.push(value['tokenId']);
      open.push(...Object.values(value));
    }
  }
  return ids;
}
