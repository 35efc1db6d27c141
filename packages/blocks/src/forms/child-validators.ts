/** Asks the validators within a block what they think of a new document, in the order of the policy. */
import { asJson, type DocumentInput, type DocumentRecord, type RunContext } from '@blockwork/core/block';

/** What a validator is asked: a document that is not stored yet, and the stored one that it refers to. */
export interface Proposal {
  readonly document: DocumentInput;
  readonly related: DocumentRecord | null;
}

/** The first refusal is thrown. A validator of an unknown type fails: what is to be checked is not let through unchecked. */
export async function askValidators(ctx: RunContext, { document, related }: Proposal): Promise<void> {
  const question = { document: asJson(document), related: asJson(related) };
  for (const { kind, block } of ctx.children) {
    if (kind === 'addon' || kind === 'unknown') await ctx.assist(block, question);
  }
}
