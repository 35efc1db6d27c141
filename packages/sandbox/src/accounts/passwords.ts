/** Passwords of the sandbox, hashed with cheap scrypt parameters that only keep them out of memory dumps and logs. */
import { scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

/** A quarter of Node's default: tests log in often. */
const cost = { N: 4096 };
const LENGTH = 32;

export interface PasswordHash {
  readonly salt: string;
  /** base64 */
  readonly hash: string;
}

/** Synchronous; used only at startup. */
export const hashNow = (password: string, salt: string): PasswordHash => ({
  salt,
  hash: scryptSync(password, salt, LENGTH, cost).toString('base64'),
});

export const hashPassword = (password: string, salt: string): Promise<PasswordHash> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, cost, (error, hash) => {
      if (error === null) resolve({ salt, hash: hash.toString('base64') });
      else reject(error);
    });
  });

export async function isPassword(password: string, { salt, hash }: PasswordHash): Promise<boolean> {
  const given = await hashPassword(password, salt);
  return timingSafeEqual(Buffer.from(given.hash), Buffer.from(hash));
}
