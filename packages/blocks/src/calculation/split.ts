/** `splitBlock`: divides documents into pieces that form bundles of a fixed size (reference engine, section 7.33). */
import {
  asJson,
  defineBlock,
  documentsIn,
  everything,
  REFRESH,
  RUN,
  tolerant,
  valueAt,
  type BlockEntry,
  type DocumentInput,
  type Json,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { amount, real, FormulaError, type Real } from '../formulas/index.js';
import { optionFinding } from './calculate-findings.js';
import { portions } from './portions.js';
import { issuePiece, type Cut } from './split-piece.js';

const { text } = tolerant;

const options = z.object({
  /** The size of a bundle, a positive number. Published policies write it as text. */
  threshold: z
    .union([z.number(), z.string().regex(/^\s*\d+(\.\d+)?\s*$/, 'must be a number')])
    .transform((value) => String(value).trim())
    .refine((value) => Number(value) > 0, 'must be more than 0'),
  /** Path into the document record. */
  sourceField: text,
});
type Context = RunContext<z.infer<typeof options>>;

/** A stored piece that waits for the rest of its bundle. */
const residue = z.object({ value: z.string(), document: z.custom<DocumentInput>() });

interface Piece {
  readonly value: Real;
  readonly document: DocumentInput;
}

export const splitBlock = defineBlock({
  type: 'splitBlock',
  title: 'Split',
  description: 'Splits a number in documents into bundles of a fixed size, passes on full bundles, and keeps the rest.',
  kind: 'server',
  children: 'none',
  options,
  gathers: everything,
  check: (node, { sourceField }) => (sourceField === '' ? [optionFinding(node, 'sourceField', 'it is not set')] : []),
  on: {
    async RunEvent(ctx, { data }) {
      const kept = await ctx.entries.find(ctx.user.key);
      const bundles: Piece[][] = [];
      let open: readonly Piece[] = kept.map(pieceOf);
      const documents = documentsIn(data);
      for (const document of documents) {
        await ctx.budget.giveWay();
        open = await fillBundles(ctx, document, open, bundles);
      }
      for (const { id } of kept) await ctx.entries.remove(id);
      for (const { value, document } of open) {
        const entry = { value: value.toFixed(), document: asJson(document) };
        await ctx.entries.put({ id: ctx.ids.uuid(), key: ctx.user.key, value: entry });
      }
      for (const bundle of bundles) {
        const pieces = bundle.map(({ document }) => document);
        ctx.emit(RUN, pieces);
      }
      ctx.emit(REFRESH, documents);
    },
  },
});

function pieceOf({ value }: BlockEntry): Piece {
  const kept = residue.parse(value);
  return { value: real(kept.value), document: kept.document };
}

/** Completes the open bundle first, and returns the one that is open afterwards. */
async function fillBundles(
  ctx: Context,
  document: DocumentInput,
  open: readonly Piece[],
  bundles: Piece[][],
): Promise<readonly Piece[]> {
  const threshold = real(ctx.options.threshold);
  const total = totalOf(ctx, document);
  const filled = open.reduce((sum, { value }) => sum.plus(value), real(0));
  const values = portions(ctx, total, threshold, filled);
  let bundle = [...open];
  let sum = filled;
  for (const [i, value] of values.entries()) {
    const about: Cut = { source: document, total, threshold, value, number: i + 1, of: values.length };
    bundle.push({ value, document: await issuePiece(ctx, ctx.options.sourceField, about) });
    sum = sum.plus(value);
    if (sum.lt(threshold)) continue;
    bundles.push(bundle);
    bundle = [];
    sum = real(0);
  }
  return bundle;
}

function totalOf(ctx: Context, document: DocumentInput): Real {
  const { sourceField } = ctx.options;
  const value = (valueAt(document, sourceField) ?? null) as Json;
  const refuse = (why: string): never =>
    ctx.fail('INPUT_INVALID', {
      facts: { reason: `Block "${ctx.block.tag}" cannot split a document: "${sourceField}" ${why}.` },
    });
  try {
    const number = real(amount('value', { value }));
    return number.isNegative() && !number.isZero() ? refuse('is negative') : number;
  } catch (error) {
    if (error instanceof FormulaError) return refuse('is not a number');
    throw error;
  }
}
