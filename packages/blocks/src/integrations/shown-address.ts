/** Addresses in messages: whom they call, without credentials, query and fragment, which may hold secrets. */
export const shownAddress = (address: string): string =>
  address
    .replace(/[?#].*$/s, '')
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, (_, scheme: string | undefined) => `${scheme ?? ''}//`);
