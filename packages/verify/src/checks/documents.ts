/** Documents: their signatures, and that they are what their messages stand for. */
import { toBase58 } from '../crypto/base58.js';
import { sha256OfText } from '../crypto/digest.js';
import { LINKED_PROOF } from '../crypto/linked-proof.js';
import { proofProblem, type Unchecked } from '../crypto/proof.js';
import { isObject, type Json, type JsonObject, listOf, memberOf } from '../json.js';
import {
  type Context,
  heldIn,
  isCredential,
  isDidDocument,
  isPresentation,
  nameOf,
  signerOf,
  textAt,
} from './context.js';
import { didDocumentProblem, keyLookup } from './keys.js';

export async function checkDocuments(context: Context): Promise<void> {
  checkContexts(context);
  const { bundle, findings, messages } = context;
  for (const stored of bundle.documents) {
    const { document, messageId = '' } = stored;
    const problem = await signatureProblem(context, document);
    if (typeof problem === 'string') findings.fail('signatures', `${nameOf(stored)}: ${problem}`);
    else if (problem === null) findings.check('signatures', true, '');
    else findings.leaveUnproven(`${nameOf(stored)}: ${problem.unchecked}`);
    const message = messages.get(messageId);
    if (message === undefined) continue;
    const isSame = message.hash === (await hashOf(document)) || (isDidDocument(document) && message.hash === '');
    findings.check(
      'relationships',
      isSame,
      `the message ${messageId} stands for another document than ${nameOf(stored)}`,
    );
    const kind = isDidDocument(document)
      ? /^did-document$/
      : isPresentation(document)
        ? /^vp-document$/
        : /^(vc|role)-document$/;
    findings.check(
      'relationships',
      kind.test(message.type),
      `the message ${messageId} is not about a document like ${nameOf(stored)}`,
    );
  }
}

async function signatureProblem(context: Context, document: JsonObject): Promise<string | Unchecked | null> {
  const { now, linkedHash } = context;
  if (isDidDocument(document)) return didDocumentProblem(textAt(document, 'id'), document);
  const signer = signerOf(document);
  if (isCredential(document))
    return proofProblem(document, keyLookup(context, signer, ['assertionMethod']), now, linkedHash);
  if (!isPresentation(document)) return 'it is neither a credential nor a presentation';
  const purposes = ['assertionMethod', 'authentication'];
  const own = await proofProblem(document, keyLookup(context, signer, purposes), now, linkedHash);
  if (typeof own === 'string') return own;
  let unchecked = own;
  for (const [at, credential] of heldIn(document).entries()) {
    const which = `credential ${String(at + 1)} of it`;
    if (!isCredential(credential)) return `${which} is none`;
    const lookup = keyLookup(context, signerOf(credential), ['assertionMethod']);
    const problem = await proofProblem(credential, lookup, now, linkedHash);
    if (typeof problem === 'string') return `${which}: ${problem}`;
    unchecked ??= problem && { unchecked: `${which}: ${problem.unchecked}` };
  }
  return unchecked;
}

/**
 * Contexts of published schemas: which file is at an address without a CID nobody can tell from here, and as statements a
 * document has no order, and fields with one meaning are not told apart.
 */
function checkContexts({ bundle, findings }: Context): void {
  const { contexts = [] } = bundle;
  const addresses = new Set(contexts.map(({ address }) => address));
  findings.check('signatures', addresses.size === contexts.length, 'a context is listed twice');
  const named = new Set<string>();
  for (const stored of bundle.documents) {
    const linked = [stored.document, ...heldIn(stored.document)].filter(hasLinkedProof);
    const own = linked.flatMap(contextsIn).filter((address) => addresses.has(address));
    for (const address of own) named.add(address);
    if (linked.length > 0) findings.leave('signatures', SAME_AS_STATEMENTS);
    if (own.length > 0)
      findings.leave(
        'signatures',
        `${nameOf(stored)}: the order of its lists, and which of several fields with one meaning has which value: its proof does not tell them apart, the CID of its file does`,
      );
  }
  for (const address of addresses) {
    findings.check('signatures', named.has(address), `no document names the context ${address}`);
    if (!/\bbafkrei[a-z2-7]{52}\b/.test(address))
      findings.leave('signatures', `that the context ${address} is the file at this address: compare it`);
  }
}

const SAME_AS_STATEMENTS =
  'how the values of documents with proofs of linked data are written: outside of the fields of unpublished schemas, what is null, an empty list or absent is the same, and so are a value and a list of it, once or repeatedly; compare a document whose text matters with the CID of its file';

function hasLinkedProof(document: JsonObject): boolean {
  const proof = memberOf(document, 'proof');
  return isObject(proof) && proof.type === LINKED_PROOF;
}

/** The contexts that are named anywhere in the value. */
function contextsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(contextsIn);
  if (!isObject(value)) return [];
  const own = listOf(memberOf(value, '@context')).filter((each) => typeof each === 'string');
  return [...own, ...Object.values(value).flatMap(contextsIn)];
}

/** The hash by which messages name documents: over the envelope, and of a presentation the hashes of its credentials. */
async function hashOf(document: JsonObject): Promise<string> {
  const part = (name: string): Json | undefined => memberOf(document, name);
  const parts = isPresentation(document)
    ? { id: part('id'), type: part('type'), verifiableCredential: await Promise.all(heldIn(document).map(hashOf)) }
    : { id: part('id'), type: part('type'), issuer: part('issuer'), issuanceDate: part('issuanceDate') };
  return toBase58(await sha256OfText(JSON.stringify(parts)));
}
