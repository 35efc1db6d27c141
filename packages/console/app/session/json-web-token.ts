/** Reads the claims of a JSON Web Token without verifying it. */

export type Claims = Readonly<Record<string, unknown>>;

/** `null` if the text is not a token. */
export function claimsOf(token: string): Claims | null {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as Claims) : null;
  } catch {
    return null;
  }
}

/** Milliseconds since 1970; `null` without an expiry. */
export const expiryOf = ({ exp }: Claims): number | null => (typeof exp === 'number' ? exp * 1000 : null);
