/** The subject of a credential. */
import { isObject, type JsonObject } from '@blockwork/core/block';

/** Stored credentials hold a list of one subject, foreign ones may hold a bare subject; `undefined` if absent. */
export function subjectOf(credential: JsonObject): JsonObject | undefined {
  const { credentialSubject } = credential;
  const subject = Array.isArray(credentialSubject) ? credentialSubject[0] : credentialSubject;
  return isObject(subject) ? subject : undefined;
}

/** The credentials of a presentation, or the credential itself. */
export function credentialsIn(document: JsonObject): JsonObject[] {
  const { verifiableCredential } = document;
  if (verifiableCredential === undefined) return [document];
  return (Array.isArray(verifiableCredential) ? verifiableCredential : [verifiableCredential]).filter((each) =>
    isObject(each),
  );
}
