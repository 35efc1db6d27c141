/** Runs a block's child validators on a new document, in the order of the policy. */
import { asJson, type DocumentInput, type DocumentRecord, type RunContext } from '@blockwork/core/block';

/** Input of a validator: a document that is not stored yet, and the stored one that it refers to. */
export interface Proposal {
  readonly document: DocumentInput;
  readonly related: DocumentRecord | null;
}

/** Throws the first rejection. Fails closed on a validator of an unknown type. */
export async function askValidators(ctx: RunContext, { document, related }: Proposal): Promise<void> {
  const question = { document: asJson(document), related: asJson(related) };
  for (const { kind, block } of ctx.children) {
    if (kind === 'addon' || kind === 'unknown') await ctx.assist(block, question);
  }
}
