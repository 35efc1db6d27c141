/** Changes a signed document so that its proof is no longer valid. */
import type { JsonObject } from '@blockwork/core';

export function tamperedWith(document: JsonObject): JsonObject {
  const { credentialSubject } = document;
  const [first, ...others] = (
    Array.isArray(credentialSubject) ? credentialSubject : [credentialSubject]
  ) as JsonObject[];
  return { ...document, credentialSubject: [{ ...first, forged: true }, ...others] };
}
