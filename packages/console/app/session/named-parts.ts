/** The people whom a text names by their DIDs. */

/** The text in parts, in order: a person for each whole DID of theirs. A DID that begins with another is not that person's. */
export function namedParts<Known extends { readonly did: string }>(
  text: string,
  people: readonly Known[],
): readonly (string | Known)[] {
  if (people.length === 0) return [text];
  const byDid = new Map(people.map((person) => [person.did, person]));
  const dids = [...byDid.keys()].map((did) => did.replaceAll(/[^\w:]/g, String.raw`\$&`));
  // Marks that also end a sentence belong to a DID only if it goes on after them.
  const whole = new RegExp(String.raw`(?<![\w.:%-])(${dids.join('|')})(?![.:;=]*[\w%-])`);
  return text.split(whole).flatMap((part) => (part === '' ? [] : [byDid.get(part) ?? part]));
}
