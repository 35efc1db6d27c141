/** The library and the contexts that are always known; loaded with the first hash. */
import { contexts as ofCredentials } from '@digitalbazaar/credentials-context';
import ofSuite from 'ed25519-signature-2018-context';
// Its parts: as a whole it brings a client of a network, and its build for browsers replaces functions of JavaScript, such as `JSON.stringify`.
import ContextResolver from 'jsonld/lib/ContextResolver.js';
import context from 'jsonld/lib/context.js';
import expansion from 'jsonld/lib/expand.js';
import events from 'jsonld/lib/events.js';
import rdf from 'jsonld/lib/toRdf.js';
import { canonize } from 'rdf-canonize';

type Json = Readonly<Record<string, unknown>>;

/** Rejects if the document does not mention it. */
export type ContextLoader = (
  address: string,
) => Promise<{ readonly documentUrl: string; readonly contextUrl: null; readonly document: unknown }>;

/**
 * The canonical statements of a document, as N-Quads. Rejects for what the contexts do not know: it would be left out, and not be signed.
 */
export async function canonicalStatements(document: Json, documentLoader: ContextLoader, limit: Json): Promise<string> {
  const options = {
    base: null,
    keepFreeFloatingNodes: false,
    produceGeneralizedRdf: false,
    safe: true,
    documentLoader,
    // Contexts of one address may differ between two documents.
    contextResolver: new ContextResolver({ sharedCache: new Map() }),
    eventHandler: events.setupEventHandler({ options: { safe: true } }),
  };
  const expanded = await expansion.expand({
    activeCtx: context.getInitialContext(options),
    element: structuredClone(document),
    options,
  });
  return canonize(rdf.toRDF(graphOf(expanded), options), { algorithm: 'RDFC-1.0', ...limit });
}

/** The nodes at the top, of which a graph without other members is no more than a list. */
function graphOf(expanded: unknown): readonly unknown[] {
  if (expanded === null) return [];
  if (Array.isArray(expanded)) return expanded as unknown[];
  const members = Object.entries(expanded as Json);
  const [only] = members;
  if (members.length !== 1 || only?.[0] !== '@graph') return [expanded];
  return Array.isArray(only[1]) ? (only[1] as unknown[]) : [only[1]];
}

const CREDENTIALS = 'https://www.w3.org/2018/credentials/v1';

export const known: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [CREDENTIALS, ofCredentials.get(CREDENTIALS)],
  ...ofSuite.contexts,
]);
