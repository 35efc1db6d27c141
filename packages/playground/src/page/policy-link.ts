/** Policies in the fragment of an address: the bytes of a policy file, an archive or JSON, as base64url. */

/** Larger ones are cut off by programs that pass addresses on. */
export const LONGEST_LINK = 32_000;

export function toFragment(file: Uint8Array): string {
  let text = '';
  for (const byte of file) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** `undefined` for a text that is no base64url. */
function fromFragment(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What an address asks to open: a policy in the address itself, or one of the examples, by its name. */
export type Wanted =
  | { readonly kind: 'policy'; readonly file: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'example'; readonly name: string }
  | { readonly kind: 'unreadable' };

/** `undefined` for a fragment that asks for nothing, such as an address within the console. */
export function wantedBy(fragment: string): Wanted | undefined {
  const [, example] = /^#example=([\w-]+)$/.exec(fragment) ?? [];
  if (example !== undefined) return { kind: 'example', name: example };
  const [, text] = /^#policy=(.*)$/.exec(fragment) ?? [];
  if (text === undefined) return undefined;
  const file = fromFragment(text);
  return file === undefined ? { kind: 'unreadable' } : { kind: 'policy', file };
}
