/** The parts of libraries without types that are used here. */
declare module 'jsonld/dist/jsonld.esm.min.js' {
  const jsonld: { canonize(document: object, options: Readonly<Record<string, unknown>>): Promise<string> };
  export default jsonld;
}

declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, unknown>;
}

declare module 'ed25519-signature-2018-context' {
  const suite: { readonly contexts: ReadonlyMap<string, unknown> };
  export default suite;
}
