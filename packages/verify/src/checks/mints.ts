/** Mints: what was minted is what the policy's rule gives for the documents, and what the token's book says. */
import type { Mint, Stored, Token } from '../contents/bundle.js';
import { valueOf } from '../formula/formula.js';
import {
  ceil,
  floor,
  NotComputable,
  ofDecimal,
  plus,
  rational,
  type Rational,
  round,
  times,
  WithoutValue,
} from '../formula/rational.js';
import { type Json, type JsonObject, listOf, memberOf } from '../json.js';
import { blocksOf } from './blocks.js';
import { type Context, credentialsOf, heldIn, nameOf, subjectOf, textAt } from './context.js';

export function checkMints(context: Context): void {
  const { bundle, findings } = context;
  const { about, mints, tokens } = bundle;
  const presentation = bundle.documents.find(({ id }) => id === about.documentId);
  if (about.kind === 'mint') findings.check('amounts', mints.length > 0, 'nothing was minted for it');
  findings.check('amounts', new Set(mints.map(({ id }) => id)).size === mints.length, 'a mint is listed twice');
  findings.check('supply', new Set(tokens.map(({ id }) => id)).size === tokens.length, 'a token is listed twice');
  if (mints.length > 0 && presentation === undefined) return;
  for (const mint of mints) {
    const token = tokens.find(({ id }) => id === mint.tokenId);
    if (!findings.check('amounts', token !== undefined, `the token ${mint.tokenId} is not in the bundle`)) continue;
    if (token !== undefined && presentation !== undefined) checkMint(context, { mint, token, presentation });
  }
  for (const token of tokens) {
    findings.check(
      'supply',
      mints.some(({ tokenId }) => tokenId === token.id),
      `nothing was minted of ${token.id}`,
    );
    checkSupply(context, token);
  }
}

interface MintCase {
  readonly mint: Mint;
  readonly token: Token;
  readonly presentation: Stored;
}

function checkMint(context: Context, { mint, token, presentation }: MintCase): void {
  const { findings } = context;
  const { tokenId, units, amount, memo, serials } = mint;
  const name = `the mint ${mint.id}`;
  findings.check('amounts', amount === amountOf(BigInt(units), token.decimals), `${name}: its amount is not its units`);
  const isNamed = memo.split(' ')[0] === presentation.messageId;
  findings.check('amounts', isNamed, `${name}: its memo names another document than ${nameOf(presentation)}`);
  const evidence = heldIn(presentation.document)
    .map(subjectOf)
    .findLast((subject) => subject?.type === 'MintToken');
  if (!findings.check('amounts', evidence !== undefined, `${name}: its presentation has no credential of a mint`))
    return;
  const isSame = evidence?.tokenId === (token.ledgerId ?? tokenId) && evidence.amount === amount;
  findings.check('amounts', isSame, `${name}: its credential says another amount or another token`);
  const isWithSerials = token.tokenType === 'non-fungible';
  const numbered = serials?.reduce((sum, [first, last]) => sum + BigInt(last - first + 1), 0n);
  const areSound = isWithSerials ? numbered === BigInt(units) && areApart(serials) : serials === undefined;
  findings.check('amounts', areSound, `${name}: its serial numbers are not as many different ones as its units`);
  findings.leave(
    'amounts',
    `that the account ${mint.accountId} received it: look it up on the ledger, if this instance uses a public one`,
  );
  recompute(context, { mint, token, presentation });
}

/** Whether no number is in two of the ranges. */
function areApart(serials: Mint['serials'] = []): boolean {
  const sorted = [...serials].sort(([one], [other]) => one - other);
  return sorted.every(([first], at) => first > (sorted[at - 1]?.[1] ?? -Infinity));
}

/** No signature says which block minted: it is one of those that mint the token. */
function recompute(context: Context, { mint, token, presentation }: MintCase): void {
  const { bundle, findings } = context;
  const name = `the mint ${mint.id}`;
  const blocks = blocksOf(bundle.policy.definition).filter((block) => mayMint(block, mint.tokenId));
  if (!findings.check('amounts', blocks.length > 0, `${name}: no block of the policy mints ${mint.tokenId}`)) return;
  const sources = sourcesOf(context, presentation);
  if (sources === undefined) {
    findings.leave('amounts', `${name}: its amount, since the bundle lacks a document that it was computed from`);
    return;
  }
  const results = blocks.map((block) => computed(block, sources, token));
  if (results.some(({ units }) => units === BigInt(mint.units))) {
    findings.check('amounts', true, '');
    findings.leave('amounts', 'calculations before the mint: what a block calculated is taken as its signer says');
    return;
  }
  const open = results.find(({ isOpen }) => isOpen);
  if (open === undefined) findings.fail('amounts', `${name} of ${mint.amount}: ${results[0]?.text ?? ''}`);
  else findings.leave('amounts', `${name}: ${open.text}`);
}

const mayMint = (block: JsonObject, tokenId: string): boolean =>
  block.blockType === 'mintDocumentBlock' && (block.useTemplate === true || textAt(block, 'tokenId') === tokenId);

interface Computed {
  /** Absent if there is no amount. */
  readonly units?: bigint;
  /** Whether the engine may have an amount where this program has none. */
  readonly isOpen: boolean;
  readonly text: string;
}

function computed(block: JsonObject, sources: readonly JsonObject[], { decimals }: Token): Computed {
  const rule = ruleOf(block);
  try {
    const sum = sources.reduce((total, each) => plus(total, valueOf(rule, subjectOf(each) ?? {})), rational(0n));
    const units = roundedUnits(sum, decimals, block.roundMethod);
    return { units, isOpen: false, text: `the rule "${rule}" gives ${amountOf(units, decimals)}` };
  } catch (error) {
    if (error instanceof WithoutValue) return { isOpen: false, text: `its rule has no value, since ${error.message}` };
    if (!(error instanceof NotComputable)) throw error;
    return { isOpen: true, text: `its rule cannot be computed here, since ${error.message}` };
  }
}

/** Policies write plain numbers as well. */
const ruleOf = ({ rule }: JsonObject): string =>
  typeof rule === 'number' ? String(rule) : typeof rule === 'string' ? rule : '';

/** The credentials that the rule was applied to; `undefined` if one is not in the bundle. */
function sourcesOf({ bundle, byMessage }: Context, { document }: Stored): JsonObject[] | undefined {
  const credentials = heldIn(document);
  const named = credentials.map(subjectOf).find((subject) => subject?.type === 'TokenDataSource');
  if (named === undefined) return credentials.filter((each) => subjectOf(each)?.type !== 'MintToken');
  const documents = listOf(memberOf(named, 'dataSource')).map(
    (id) => byMessage.get(typeof id === 'string' ? id : '') ?? bundle.documents.find((each) => each.document.id === id),
  );
  return documents.includes(undefined)
    ? undefined
    : documents.flatMap((each) => (each ? credentialsOf(each.document) : []));
}

function roundedUnits(amount: Rational, decimals: number, method: Json | undefined): bigint {
  const exact = times(amount, ofDecimal(`1e${String(decimals)}`) ?? rational(1n));
  if (method === 'floor') return floor(exact);
  return method === 'ceil' || method === 'ceiling' ? ceil(exact) : round(exact);
}

function amountOf(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function checkSupply({ bundle, findings }: Context, { id, supply, book: mints }: Token): void {
  if (mints === null) {
    findings.leave('supply', `the supply of ${id}: it has too many mints for a bundle`);
    return;
  }
  const sum = mints.reduce((total, { type, units }) => total + (type === 'mint' ? BigInt(units) : -BigInt(units)), 0n);
  findings.check(
    'supply',
    sum === BigInt(supply),
    `the mints and wipes of ${id} add up to ${String(sum)}, not to ${supply}`,
  );
  const ids = new Set(mints.map((entry) => entry.id));
  findings.check('supply', ids.size === mints.length, `the book of ${id} has an entry twice`);
  for (const mint of bundle.mints.filter(({ tokenId }) => tokenId === id)) {
    const isBooked = mints.some((entry) => entry.id === mint.id && entry.type === 'mint' && entry.units === mint.units);
    findings.check('supply', isBooked, `the mint ${mint.id} is not in the book of ${id}`);
  }
  findings.leave(
    'supply',
    `that the book of ${id} is complete: compare its supply with the public ledger, if this instance uses one`,
  );
}
