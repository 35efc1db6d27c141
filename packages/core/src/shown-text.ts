/** What texts for people leave out: the parts of addresses, and the credentials, that give access to something. */

/** An address without credentials, query and fragment: whom it calls. */
export const shownAddress = (address: string): string => withoutCredentials(address.replace(/[?#].*$/s, ''));

const withoutCredentials = (address: string): string =>
  address.replace(/^((?:[a-z][a-z0-9+.-]*:)?\/{1,2})[^/?#]*@/i, '$1');

/** The punctuation of the sentence after an address is not part of it. One slash: an address that was taken for a path. */
const addresses = /\b[a-z][a-z0-9+.-]{0,20}:\/{1,2}[^\s"'`<>]*[^\s"'`<>.,;:!)\]}]/gi;
/** With a digit, since a sentence may go on after the word. */
const credentials = /\b(bearer|basic) +(?=[^\s"']*\d)[\w.~+/=-]{8,}/gi;

/**
 * A text as messages, log lines and journals may hold it: its addresses without credentials and query, and no bearer
 * tokens. Fragments that hold no values stay, since they tell schemas and keys apart.
 */
export function shownText(text: string): string {
  const isPlain = !text.includes(':/');
  const shown = isPlain ? text : text.replace(addresses, shownInText);
  return shown.replace(credentials, (_, scheme: string) => `${scheme} …`);
}

/** How messages describe the form of an address. */
const FORM = 'user:password@';

function shownInText(address: string): string {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const place = before.includes(FORM) ? before : withoutCredentials(before);
  return place + (query === '' ? '' : '?…') + (fragment.includes('=') ? '' : fragment);
}

/** The text without these others, such as values of options that only their owner may see. */
export const withoutTexts = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((rest, each) => rest.replaceAll(each, '…'), text);

/** The message of whatever was thrown, as texts may hold it. */
export const shownMessage = (error: unknown): string =>
  shownText(error instanceof Error ? error.message : String(error));
