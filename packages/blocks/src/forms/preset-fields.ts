/** Prefilled fields of a form, and which of them are read-only. */
import { sameJson, tolerant, type DocumentRecord, type JsonObject, type ReadContext } from '@blockwork/core/block';
import { z } from 'zod';
import { subjectOf } from '../common/subject.js';

export const presetField = z
  .object({
    /** Field of the form. */
    name: tolerant.text,
    /** Source field in the subject; empty if the user fills it in. */
    value: tolerant.text,
    readonly: tolerant.flag,
  })
  .catchall(z.json());
type PresetField = z.infer<typeof presetField>;

/** Values that clients fill in from the user's profile, not from a document. */
const ofUser = ['username', 'hederaAccountId'];

/** Fields that must match the document the form was prefilled from. */
export const fixedFields = (fields: readonly PresetField[]): PresetField[] =>
  fields.filter(({ name, value, readonly }) => readonly && name !== '' && value !== '' && !ofUser.includes(value));

/** Fails with "Readonly preset field (x) can not be modified." and every field that was changed. */
export function demandPresets(
  ctx: ReadContext,
  fields: readonly PresetField[],
  { document }: DocumentRecord,
  posted: JsonObject,
): void {
  const presets = subjectOf(document) ?? {};
  const changed = fields.filter(({ name, value }) => !sameJson(own(posted, name), own(presets, value)));
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
