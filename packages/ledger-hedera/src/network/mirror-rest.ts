/** Questions to a mirror node over REST. What it answers is checked for its size and form. */
import { z } from 'zod';
import { limitedBody } from './http.js';

/** An account, topic or token. */
export const entity = z.string().regex(/^\d+\.\d+\.\d+$/);
/** `<seconds>.<nanoseconds>`. */
export const timestamp = z.string().regex(/^\d{1,12}\.\d{9}$/);
/** Whole units or tinybars, as decimal text. */
export const units = z.union([z.number().int().min(0), z.string().regex(/^\d+$/)]).transform(String);

/** `undefined` if the mirror does not know it. Rejects if it cannot be asked or answers nonsense. */
export type AskMirror = <V>(path: string, schema: z.ZodType<V>) => Promise<V | undefined>;

const ANSWER_BYTES = 4 * 1024 * 1024;

/** `url` is its address up to and without `/api`. */
export function mirrorRest(url: string, timeoutMs: number, request: typeof fetch = fetch): AskMirror {
  const base = url.replace(/\/+$/, '');
  return async (path, schema) => {
    const answer = await request(`${base}/api/v1/${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    const content = (await limitedBody(answer, ANSWER_BYTES, 'The answer of the mirror')).toString('utf8');
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`The mirror answers ${String(answer.status)} for ${path}.`);
    const read = schema.safeParse(JSON.parse(withTextAmounts(content)));
    if (!read.success) throw new Error(`The mirror's answer for ${path} has another form than expected.`);
    return read.data;
  };
}

/** Whole numbers that a JavaScript number does not hold exactly become texts. */
const withTextAmounts = (json: string): string =>
  json.replace(/("(?:charged_tx_fee|balance)"\s*:\s*)(-?\d{16,})/g, '$1"$2"');
