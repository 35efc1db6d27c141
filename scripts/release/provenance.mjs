/**
 * Where a release comes from: a statement of in-toto with the predicate SLSA Provenance 1, and its signed form, an envelope
 * of DSSE. Both as their specifications say: https://slsa.dev/spec/v1.0/provenance and
 * https://github.com/secure-systems-lab/dsse.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

export const PROVENANCE = 'provenance.json';
/** One envelope per line, as tools expect; only where there is a key. */
export const SIGNED_PROVENANCE = 'provenance.intoto.jsonl';

const repository = 'https://github.com/blockwork/blockwork';
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'https://slsa.dev/provenance/v1';

/**
 * @param {{
 *   subjects: { name: string, sha256: string, sha512: string }[],
 *   byproducts: { name: string, sha256: string }[],
 *   version: string,
 *   source: { commit: string, changed: string[] },
 *   lock: { sha256: string },
 *   builder: string,
 *   started: Date,
 *   finished: Date,
 * }} build `changed`: files that differed from the commit
 */
export function provenance({ subjects, byproducts, version, source, lock, builder, started, finished }) {
  return {
    _type: STATEMENT,
    subject: subjects.map(({ name, sha256, sha512 }) => ({ name, digest: { sha256, sha512 } })),
    predicateType: PREDICATE,
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/main/docs/releases.md#how-a-release-is-built`,
        externalParameters: { version },
        internalParameters: { changedFiles: source.changed },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: source.commit } },
          {
            uri: `${repository}/blob/${source.commit}/pnpm-lock.yaml`,
            name: 'libraries',
            digest: { sha256: lock.sha256 },
          },
          { uri: `https://nodejs.org/dist/${process.version}/`, name: 'node', annotations: nodeAnnotations() },
        ],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { startedOn: started.toISOString(), finishedOn: finished.toISOString() },
        byproducts: byproducts.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      },
    },
  };
}

const nodeAnnotations = () => ({ version: process.version, platform: process.platform, architecture: process.arch });

/** An envelope around the statement. `key`: a private key of Ed25519. */
export function signed(statement, key) {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = sign(null, preAuthenticated(payload), key);
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(createPublicKey(key)), sig: signature.toString('base64') }],
  };
}

/** The private key in PEM. Throws if it is none of Ed25519. */
export function signingKey(pem) {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`It is a key of ${key.asymmetricKeyType}, not of Ed25519.`);
  return key;
}

/** The statement in an envelope. With a public key in PEM, it has to be signed by its owner. Throws if it is not, or is another payload. */
export function opened({ payloadType, payload: encoded, signatures }, publicKey) {
  if (payloadType !== PAYLOAD_TYPE)
    throw new Error(`${SIGNED_PROVENANCE} has the payload "${payloadType}" instead of "${PAYLOAD_TYPE}".`);
  const payload = Buffer.from(encoded, 'base64');
  if (publicKey !== undefined) {
    const key = createPublicKey(publicKey);
    const isSigned = signatures.some(({ sig }) =>
      verify(null, preAuthenticated(payload), key, Buffer.from(sig, 'base64')),
    );
    if (!isSigned) throw new Error(`${SIGNED_PROVENANCE} is not signed with the key ${keyId(key)}.`);
  }
  return statementIn(payload.toString());
}

/** Throws where a text is no such statement. */
export function statementIn(text) {
  const statement = JSON.parse(text);
  if (statement._type !== STATEMENT || statement.predicateType !== PREDICATE)
    throw new Error(`This is no ${STATEMENT} with the predicate ${PREDICATE}.`);
  return statement;
}

/** What is signed: the type and the payload with their lengths, so that neither can pass for the other. */
function preAuthenticated(payload) {
  const head = `DSSEv1 ${Buffer.byteLength(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

const keyId = (publicKey) =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
