/** What requests over HTTP have in common: which addresses are taken, and bodies that are read no further than they may be long. */

export const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** `what`: the answer, for the error, such as `The answer of the mirror`. Rejects if it has more than `most` bytes. */
export async function limitedBody(answer: Response, most: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > most) throw new Error(`${what} is larger than ${String(most)} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
