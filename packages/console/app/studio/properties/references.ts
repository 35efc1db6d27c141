/** What an option may name, by what it is called: schemas, tokens, templates of tokens, roles, and blocks. */
import type { Blocks } from '../draft/blocks.js';
import type { Definition, Source } from '../draft/operations.js';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface Known {
  readonly choices: readonly Choice[];
  /** Whether nothing else makes sense. */
  readonly isClosed: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const named = (entries: readonly Source[], id: string, name: string): Choice[] =>
  entries.map((entry) => ({ value: text(entry[id]), label: text(entry[name]) || text(entry[id]) }));

/** `undefined` for options that name nothing of the policy. */
export function choicesFor(name: string, definition: Definition, blocks: Blocks): Known | undefined {
  if (/schema$/i.test(name)) return { choices: named(definition.schemas, 'iri', 'name'), isClosed: true };
  if (name === 'tokenId') return { choices: named(definition.tokens, 'tokenId', 'tokenName'), isClosed: true };
  if (name === 'template') {
    const templates = definition.policyTokens.map((token) => token as Source);
    return { choices: named(templates, 'templateTokenTag', 'tokenName'), isClosed: true };
  }
  if (/^(role|user)s?$/.test(name))
    return { choices: definition.policyRoles.map((role) => ({ value: role, label: role })), isClosed: false };
  if (/^(bindBlock|bindGroup|errorFallbackTag|targetTag)$/.test(name))
    return { choices: [...blocks.tags].map((tag) => ({ value: tag, label: tag })), isClosed: false };
  return undefined;
}
