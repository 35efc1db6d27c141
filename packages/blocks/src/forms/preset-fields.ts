/** Fields of a form that come filled in, and those among them that the user may not change. */
import { sameJson, tolerant, type DocumentRecord, type JsonObject, type ReadContext } from '@blockwork/core/block';
import { z } from 'zod';
import { subjectOf } from '../common/subject.js';

export const presetField = z
  .object({
    /** Field of the form. */
    name: tolerant.text,
    /** Field of the subject that it is taken from; empty where the user fills it in. */
    value: tolerant.text,
    readonly: tolerant.flag,
  })
  .catchall(z.json());
type PresetField = z.infer<typeof presetField>;

/** What a client fills in from what it knows of the user, not from a document. */
const ofUser = ['username', 'hederaAccountId'];

/** Fields that must be as in the document which the form was filled from. */
export const fixedFields = (fields: readonly PresetField[]): PresetField[] =>
  fields.filter(({ name, value, readonly }) => readonly && name !== '' && value !== '' && !ofUser.includes(value));

/** Fails with "Readonly preset field (x) can not be modified." and every field that was changed. */
export function demandPresets(
  ctx: ReadContext,
  fields: readonly PresetField[],
  { document }: DocumentRecord,
  posted: JsonObject,
): void {
  const known = subjectOf(document) ?? {};
  const changed = fields.filter(({ name, value }) => !sameJson(own(posted, name), own(known, value)));
  const [first] = changed;
  if (first === undefined) return;
  ctx.fail('PRESET_CHANGED', {
    facts: { field: first.name },
    details: changed.map(({ name, value }) => ({
      path: `/document/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: `must stay as "${value}" of the document that it is taken from`,
    })),
  });
}

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
