/** The parts of libraries without types that are used here. */
declare module 'jsonld/lib/ContextResolver.js' {
  const ContextResolver: new (options: { readonly sharedCache: Map<unknown, unknown> }) => object;
  export default ContextResolver;
}

declare module 'jsonld/lib/context.js' {
  const context: { getInitialContext(options: object): object };
  export default context;
}

declare module 'jsonld/lib/events.js' {
  const events: { setupEventHandler(given: { readonly options: object }): readonly unknown[] | null };
  export default events;
}

declare module 'jsonld/lib/expand.js' {
  const expansion: {
    expand(given: { readonly activeCtx: object; readonly element: object; readonly options: object }): Promise<unknown>;
  };
  export default expansion;
}

declare module 'jsonld/lib/toRdf.js' {
  const rdf: { toRDF(expanded: readonly unknown[], options: object): readonly object[] };
  export default rdf;
}

declare module 'rdf-canonize' {
  export function canonize(dataset: readonly object[], options: object): Promise<string>;
}

declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, unknown>;
}

declare module 'ed25519-signature-2018-context' {
  const suite: { readonly contexts: ReadonlyMap<string, unknown> };
  export default suite;
}
