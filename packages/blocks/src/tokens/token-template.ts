/** The definition of a token: its template, completed by a user. */
import { toDetails, type ErrorDetail, type JsonObject, type LedgerTokenInput } from '@blockwork/core/block';
import { z } from 'zod';

const name = z.string().trim().min(1).max(100);
const decimals = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(18));

const members = {
  tokenName: name,
  tokenSymbol: name,
  tokenType: z.enum(['fungible', 'non-fungible']),
  decimals,
  changeSupply: z.boolean(),
  enableAdmin: z.boolean(),
  enableFreeze: z.boolean(),
  enableKYC: z.boolean(),
  enableWipe: z.boolean(),
};

/** Members a user can set; others are dropped. */
export const tokenDetails = z.object(members).partial();
export type TokenDetails = z.infer<typeof tokenDetails>;

const whole = z.object(members).partial().required({ tokenName: true, tokenSymbol: true, tokenType: true });

/** The token, or what it lacks. Tokens that are not fungible are whole. */
export function completedToken(
  written: Readonly<Record<string, unknown>>,
): { readonly token: LedgerTokenInput } | { readonly faults: readonly ErrorDetail[] } {
  const parsed = whole.safeParse(written);
  if (!parsed.success) return { faults: toDetails(parsed.error) };
  const { tokenName, tokenSymbol, tokenType, ...flags } = parsed.data;
  const digits = tokenType === 'non-fungible' ? 0 : (flags.decimals ?? 0);
  const source = { ...(flags as JsonObject), tokenName, tokenSymbol, tokenType, decimals: String(digits) };
  return { token: { tokenName, tokenSymbol, tokenType, decimals: digits, source } };
}
