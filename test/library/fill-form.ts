/** Filling in a form with data made from its schema. */
import type { Json, JsonObject } from '@blockwork/core';
import type { UserSession } from '@blockwork/testing';
import { sampleSubject } from './sample-subject.js';

/** `ref`: the row of a grid where the form opens from one. `given` replaces some of the fields. */
export async function fillForm(
  user: UserSession,
  form: string,
  { ref = null, values = {} }: { readonly ref?: Json; readonly values?: JsonObject } = {},
): Promise<void> {
  const { schema } = (await user.read(form)) as { schema: { document: JsonObject } };
  await user.send(form, { document: sampleSubject(schema.document, values), ref });
}
