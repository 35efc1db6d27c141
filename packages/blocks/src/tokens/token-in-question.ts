/** Resolves the token and the account that a block acts on from its input documents. */
import type { DocumentInput, LedgerToken, ReadContext, RunContext } from '@blockwork/core/block';
import { accountForm, type AccountOptions, type TokenOptions } from './token-options.js';

/** The token's id; empty where the document has none from the template. */
function tokenIdFor({ useTemplate, template, tokenId }: TokenOptions, document?: DocumentInput): string {
  return useTemplate ? textAt(document?.tokens, template) : tokenId;
}

/** Throws `TOKEN_UNKNOWN`, also for a token that is not one of the policy's. */
export async function tokenFor(
  ctx: ReadContext,
  options: TokenOptions,
  document?: DocumentInput,
): Promise<LedgerToken> {
  const tokenId = tokenIdFor(options, document);
  return (await ctx.ledger.token(tokenId)) ?? ctx.fail('TOKEN_UNKNOWN', { facts: { tokenId } });
}

/** Throws `RECIPIENT_UNKNOWN`. */
export async function accountFor(ctx: ReadContext, options: AccountOptions, document: DocumentInput): Promise<string> {
  const { accountType, accountId, accountIdValue } = options;
  const checkedAccount = (account: string, reason: string): string =>
    accountForm.test(account) ? account : ctx.fail('RECIPIENT_UNKNOWN', { facts: { reason } });
  switch (accountType) {
    case 'custom-value':
      return checkedAccount(accountIdValue, `"${accountIdValue}" is no account`);
    case 'custom':
      return checkedAccount(textAt(document.accounts, accountId), `the document names none as "${accountId}"`);
    case 'default':
      return checkedAccount((await ctx.users.account(document.owner)) ?? '', `the owner ${document.owner} has none`);
  }
}

/** As the reference: the first document decides. That others would go elsewhere is worth a warning. */
export async function oneAccountFor(
  ctx: RunContext,
  options: AccountOptions,
  documents: readonly [DocumentInput, ...DocumentInput[]],
): Promise<string> {
  const [first, ...others] = documents;
  const account = await accountFor(ctx, options, first);
  for (const other of others) {
    const theirs = await accountFor(ctx, options, other);
    if (theirs !== account)
      ctx.warn('Documents of several accounts came together; the first decides.', { account, theirs });
  }
  return account;
}

function textAt(members: unknown, name: string): string {
  if (typeof members !== 'object' || members === null || !Object.hasOwn(members, name)) return '';
  const value = (members as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.trim() : '';
}
