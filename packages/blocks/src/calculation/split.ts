/** `splitBlock`: divides documents into pieces that form bundles of a fixed size (reference engine, section 7.33). */
import {
  asJson,
  type BlockEntry,
  cloneJson,
  defineBlock,
  type DocumentInput,
  documentsIn,
  everything,
  isObject,
  type Json,
  type JsonObject,
  REFRESH,
  RUN,
  type RunContext,
  tolerant,
  valueAt,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialDocument, inheritedFrom } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { amount, FormulaError, real, type Real } from '../formulas/index.js';
import { optionFinding } from './calculate-findings.js';

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
      const pieces = await ctx.entries.find(ctx.user.key);
      const bundles: Piece[][] = [];
      let open: readonly Piece[] = pieces.map(pieceOf);
      const documents = documentsIn(data);
      for (const document of documents) {
        await ctx.budget.giveWay();
        open = await fillBundles(ctx, document, open, bundles);
      }
      for (const { id } of pieces) await ctx.entries.remove(id);
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
  const piece = residue.parse(value);
  return { value: real(piece.value), document: piece.document };
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

/** Each piece of a document is a credential. */
const PIECES_AT_MOST = 1_000;

/**
 * `filled` is the content of the open bundle, below the threshold. The first piece completes that bundle, whole bundles
 * follow, and the remainder comes last. Fails with `INPUT_INVALID` above the maximum number of pieces.
 */
function portions(ctx: RunContext, total: Real, threshold: Real, filled: Real): Real[] {
  const needed = threshold.minus(filled);
  if (total.lt(needed)) return [total];
  const rest = total.minus(needed);
  const whole = rest.dividedBy(threshold).floor();
  if (whole.gt(PIECES_AT_MOST)) {
    const reason = `Block "${ctx.block.tag}" cannot cut ${total.toString()} into more than ${String(PIECES_AT_MOST)} pieces of ${threshold.toString()}.`;
    return ctx.fail('INPUT_INVALID', { facts: { reason } });
  }
  const remainder = rest.minus(whole.times(threshold));
  const bundles = Array.from({ length: whole.toNumber() }, () => threshold);
  return [needed, ...bundles, ...(remainder.isZero() ? [] : [remainder])];
}

interface Cut {
  readonly source: DocumentInput;
  readonly total: Real;
  readonly threshold: Real;
  readonly value: Real;
  /** Position among the pieces of the document, from 1. */
  readonly number: number;
  readonly of: number;
}

/** Signed by the owner of the policy. It keeps its source's message, so that tokens minted from it reference the source. */
async function issuePiece(ctx: RunContext, field: string, cut: Cut): Promise<DocumentInput> {
  const { source } = cut;
  const document = cloneJson(source.document);
  write(ctx, { document }, field, cut.value);
  const subject = subjectOf(document);
  if (subject === undefined) return ctx.fail('DOCUMENT_MISSING');
  const credential = await ctx.credentials.issue({
    issuer: ctx.policy.owner,
    subject,
    evidence: [...evidenceIn(document), ...(source.messageId ? [evidence(source.messageId, field, cut)] : [])],
  });
  return credentialDocument(ctx, credential, {
    ...inheritedFrom(source, 'messageId', 'topicId'),
    relationships: source.messageId ? [source.messageId] : [],
  });
}

const evidenceIn = ({ evidence }: JsonObject): Json[] => (Array.isArray(evidence) ? evidence : []);

const evidence = (messageId: string, sourceField: string, cut: Cut): JsonObject => ({
  type: ['SourceDocument'],
  messageId,
  sourceField,
  sourceValue: cut.total.toNumber(),
  threshold: cut.threshold.toNumber(),
  chunkNumber: cut.number,
  maxChunks: cut.of,
});

/** A number written as text stays text, as its schema requires. Only fields of the subject can be split. */
function write(ctx: RunContext, record: JsonObject, field: string, value: Real): void {
  const names = field.split('.');
  const last = names.pop() ?? '';
  let at: Json | undefined = record;
  for (const name of names) at = memberOf(at, name);
  if (!(isObject(at) || Array.isArray(at)) || names[1] !== 'credentialSubject') {
    const reason = `"${field}" is not a field of a credential's subject`;
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
  }
  const holder = at as JsonObject;
  holder[last] = typeof holder[last] === 'string' ? value.toFixed() : value.toNumber();
}

/** `L` stands for the last element of a list. */
function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return name === 'L' ? value.at(-1) : value[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
