/** Documents: their signatures, and that they are what their messages stand for. */
import { toBase58 } from '../crypto/base58.js';
import { sha256OfText } from '../crypto/digest.js';
import { proofProblem } from '../crypto/proof.js';
import { type Json, type JsonObject, memberOf } from '../json.js';
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
  const { bundle, findings, messages } = context;
  for (const stored of bundle.documents) {
    const { document, messageId = '' } = stored;
    const problem = await signatureProblem(context, document);
    findings.check('signatures', problem === null, `${nameOf(stored)}: ${problem ?? ''}`);
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

async function signatureProblem(context: Context, document: JsonObject): Promise<string | null> {
  const { now } = context;
  if (isDidDocument(document)) return didDocumentProblem(textAt(document, 'id'), document);
  const signer = signerOf(document);
  if (isCredential(document)) return proofProblem(document, keyLookup(context, signer, ['assertionMethod']), now);
  if (!isPresentation(document)) return 'it is neither a credential nor a presentation';
  const purposes = ['assertionMethod', 'authentication'];
  const own = await proofProblem(document, keyLookup(context, signer, purposes), now);
  if (own !== null) return own;
  for (const [at, credential] of heldIn(document).entries()) {
    const which = `credential ${String(at + 1)} of it`;
    if (!isCredential(credential)) return `${which} is none`;
    const lookup = keyLookup(context, signerOf(credential), ['assertionMethod']);
    const problem = await proofProblem(credential, lookup, now);
    if (problem !== null) return `${which}: ${problem}`;
  }
  return null;
}

/** The hash by which messages name documents: over the envelope, and of a presentation the hashes of its credentials. */
async function hashOf(document: JsonObject): Promise<string> {
  const part = (name: string): Json | undefined => memberOf(document, name);
  const parts = isPresentation(document)
    ? { id: part('id'), type: part('type'), verifiableCredential: await Promise.all(heldIn(document).map(hashOf)) }
    : { id: part('id'), type: part('type'), issuer: part('issuer'), issuanceDate: part('issuanceDate') };
  return toBase58(await sha256OfText(JSON.stringify(parts)));
}
