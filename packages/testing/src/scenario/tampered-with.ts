/** A signed document of which somebody has changed what it says: its proof no longer holds. */
import type { JsonObject } from '@blockwork/core';

export function tamperedWith(document: JsonObject): JsonObject {
  const { credentialSubject } = document;
  const [first, ...others] = (
    Array.isArray(credentialSubject) ? credentialSubject : [credentialSubject]
  ) as JsonObject[];
  return { ...document, credentialSubject: [{ ...first, forged: true }, ...others] };
}
