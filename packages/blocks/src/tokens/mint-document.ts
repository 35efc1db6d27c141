/** `mintDocumentBlock`: mints tokens for documents, and publishes evidence of it (reference engine, section 7.15). */
import {
  amountOf,
  asJson,
  defineBlock,
  documentsIn,
  isObject,
  isoNow,
  passOn,
  REFRESH,
  tolerant,
  unitsOf,
  type BlockType,
  type DocumentInput,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { fieldReferences, FormulaRunner, type FormulaBlockOptions } from '../formulas/index.js';
import { rounded, roundMethod, sumOf } from './amount-of.js';
import { mintAgainFindings } from './mint-again.js';
import { giveEvidence } from './evidence.js';
import { oneAccountFor, tokenFor } from './token-in-question.js';
import {
  accountChoice,
  asFindings,
  choiceFaults,
  rule,
  ruleFaults,
  tokenChoice,
  tokenReferences,
} from './token-options.js';
import { demandProofs, trustedDocuments, useUp, type SomeDocuments } from './trusted-documents.js';

const options = z.strictObject({
  ...tokenChoice,
  ...accountChoice,
  /** Formula over the fields of a document's subject. */
  rule,
  /** Memo on the ledger, next to the id of the evidence. */
  memo: tolerant.text,
  roundMethod,
  /** Left by editors; it never restricted what is minted for. */
  schema: tolerant.unused,
});
type Options = z.infer<typeof options>;

const impact = z.custom<JsonObject>(isObject);

export function mintDocumentBlock(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'mintDocumentBlock');
  return defineBlock({
    type: 'mintDocumentBlock',
    title: 'Mint',
    description: 'Mints tokens for documents by a rule, and publishes evidence of the mint.',
    kind: 'server',
    children: ['addon'],
    inputs: ['AdditionalMintEvent', 'RetryMintEvent'],
    options,
    references: (written) => [...tokenReferences(written), ...fieldReferences(written.rule, '/rule')],
    check: (node, written) => [
      ...asFindings(node, [...choiceFaults(written), ...ruleFaults('rule', written.rule)]),
      ...mintAgainFindings(node),
    ],
    on: {
      RunEvent: (ctx, { data }) => mint(formulas, ctx, data, []),
      /** From another mint, whose presentation becomes a source of this one. */
      AdditionalMintEvent: (ctx, { data, result }) => mint(formulas, ctx, data, documentsIn(result)),
      /** A mint is never partial, so nothing needs retrying here: the ledger effect is retried until it succeeds. */
      RetryMintEvent(ctx, { data }) {
        ctx.emit(REFRESH, data);
      },
    },
  });
}

async function mint(
  formulas: FormulaRunner,
  ctx: RunContext<Options>,
  data: Json,
  additional: readonly DocumentInput[],
): Promise<void> {
  const documents = await trustedDocuments(ctx, data);
  await demandProofs(ctx, additional);
  await useUp(ctx, documents);
  const token = await tokenFor(ctx, ctx.options, documents[0]);
  const account = await oneAccountFor(ctx, ctx.options, documents);
  const exact = await sumOf(formulas, ctx, ctx.options.rule, documents);
  const units = unitsOf(rounded(exact, token.decimals, ctx.options.roundMethod), token.decimals);
  const amount = amountOf(units, token.decimals);
  const tokenId = await ctx.ledger.signedTokenId(token.id);
  const subject = { type: 'MintToken', date: isoNow(ctx.clock), tokenId, amount };
  const impacts = await impactsOf(ctx, documents);
  const toOther = account !== (await ctx.users.account(ctx.policy.owner));
  const deed = { type: 'mint', subject, documents, additional, impacts };
  const evidence = await giveEvidence(ctx, deed, async (messageId) => {
    const { serials = [] } = await ctx.ledger.mint(token.id, account, units, `${messageId} ${ctx.options.memo}`.trim());
    return { minted: { tokenId: token.id, amount, serials: [...serials], toOther } };
  });
  passOn(ctx, data, await ctx.users.actor('owner', data), evidence);
}

async function impactsOf(ctx: RunContext<Options>, documents: SomeDocuments): Promise<JsonObject[]> {
  const impacts: JsonObject[] = [];
  for (const { block, kind } of ctx.children) {
    if (kind === 'unknown') continue;
    const answer = await ctx.assist(block, { documents: asJson(documents) });
    if (answer !== undefined) impacts.push(impact.parse(answer));
  }
  return impacts;
}
