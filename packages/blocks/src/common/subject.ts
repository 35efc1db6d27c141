/** The subject of a credential: what it says of whom. */
import { isObject, type JsonObject } from '@blockwork/core/block';

/** Stored credentials have a list of one subject, those of others perhaps the subject alone; `undefined` without any. */
export function subjectOf(credential: JsonObject): JsonObject | undefined {
  const { credentialSubject } = credential;
  const subject = Array.isArray(credentialSubject) ? credentialSubject[0] : credentialSubject;
  return isObject(subject) ? subject : undefined;
}

/** The credentials of a presentation; a credential is itself. */
export function credentialsIn(document: JsonObject): JsonObject[] {
  const { verifiableCredential } = document;
  if (verifiableCredential === undefined) return [document];
  return (Array.isArray(verifiableCredential) ? verifiableCredential : [verifiableCredential]).filter((each) =>
    isObject(each),
  );
}
