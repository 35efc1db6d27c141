/**
 * Where a release comes from: a statement of in-toto with the predicate SLSA Provenance 1, and its signed form, an envelope
 * of DSSE. Both as their specifications say: https://slsa.dev/spec/v1.0/provenance and
 * https://github.com/secure-systems-lab/dsse.
 */
import { createHash, createPublicKey, sign, verify } from 'node:crypto';

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

/** An envelope around the statement. `key`: a private key of Ed25519, in PEM or as a `KeyObject`. */
export function signed(statement, key) {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = sign(null, preAuthenticated(payload), key);
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(createPublicKey(key)), sig: signature.toString('base64') }],
  };
}

/** The statement in an envelope. Throws if it is not signed by the owner of the public key. */
export function verified(envelope, publicKey) {
  const key = createPublicKey(publicKey);
  const payload = Buffer.from(envelope.payload, 'base64');
  const isSigned = envelope.signatures.some(({ sig }) =>
    verify(null, preAuthenticated(payload, envelope.payloadType), key, Buffer.from(sig, 'base64')),
  );
  if (!isSigned) throw new Error(`${SIGNED_PROVENANCE} is not signed with the key ${keyId(key)}.`);
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
function preAuthenticated(payload, type = PAYLOAD_TYPE) {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

const keyId = (publicKey) =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
