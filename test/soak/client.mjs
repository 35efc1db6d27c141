/** A client of the server under the soak: counts the answers by status, and keeps what should not have been answered. */
import { createSecretKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signDevelopmentToken } from '@blockwork/http-koa';

export const block = (policy, tag) => `/policies/${policy}/tag/${tag}/blocks`;

/** `end` is the moment in milliseconds at which the load is over. */
export function openClient({ url, secret, end }) {
  const key = createSecretKey(Buffer.from(secret));
  const statuses = new Map();
  const failures = [];

  async function ask(who, path, init = {}) {
    const headers = { authorization: `Bearer ${who}`, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers });
    const text = await response.text();
    const { status } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isDeliberate = status === 503 && response.headers.has('retry-after');
    if (status >= 500 && !isDeliberate)
      failures.push(`${init.method ?? 'GET'} ${path}: ${status} ${text.slice(0, 200)}`);
    return { status, text };
  }

  return {
    statuses,
    failures,
    ask,
    token: (did, role = 'USER') => signDevelopmentToken(key, { did, role }),
    send: (who, path, body) =>
      ask(who, path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),

    /** Repeats a step until the time is up. */
    async repeat(every, step) {
      for (let n = 0; Date.now() < end; n += 1) {
        await step(n);
        await pause(every);
      }
    },
  };
}
