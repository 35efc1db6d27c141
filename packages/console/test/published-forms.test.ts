/** The schemas of forms of published policies. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readPolicy, type JsonObject } from '@blockwork/core';
import { createSchemaUtils, type RJSFSchema } from '@rjsf/utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishedPolicies } from '../../../test/library/published.js';
import { sampleSubject } from '../../../test/library/sample-subject.js';
import { formParts } from '../app/page/form/form-parts.js';
import { formSchema } from '../app/page/form/form-schema.js';
import { schemaValidator } from '../app/page/form/form-validator.js';

type Values = Record<string, unknown>;

interface PublishedForm {
  /** For failures. */
  readonly name: string;
  readonly document: JsonObject;
  readonly schema: RJSFSchema;
}

/** Wherever they stand, in conditions as well. */
function referencesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): unknown[] =>
    key === '$ref' ? [member] : referencesIn(member),
  );
}

/** Every second field, at each level. */
const halfOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(halfOf);
  if (typeof value !== 'object' || value === null) return value;
  const half = Object.entries(value).filter((_, at) => at % 2 === 0);
  return Object.fromEntries(half.map(([name, member]) => [name, halfOf(member)]));
};

/** Nobody has filled in anything, half of it, or everything. */
function fillingsOf({ document }: PublishedForm): Values[] {
  const all = sampleSubject(document);
  return [{}, halfOf(all) as Values, all];
}

describe.skipIf(publishedPolicies.length === 0)('Every form of a published policy', () => {
  const forms: PublishedForm[] = [];

  beforeAll(async () => {
    for (const file of publishedPolicies) {
      const { schemas } = await readPolicy(new Uint8Array(await readFile(file)), { check: false });
      for (const { name, document: schema } of schemas) {
        const document = schema ?? {};
        forms.push({ name: `${basename(file)}: ${name}`, document, schema: formSchema(document, []) });
      }
    }
  });

  it('refers only to definitions that it has, without which it could not be drawn', () => {
    let references = 0;
    for (const { name, schema } of forms) {
      const definitions = Object.keys(schema.definitions ?? {}).map((key) => `#/definitions/${key}`);
      const referencesOfSchema = referencesIn(schema);
      references += referencesOfSchema.length;
      expect(
        referencesOfSchema.filter((each) => !definitions.includes(String(each))),
        name,
      ).toEqual([]);
    }
    expect(references).toBeGreaterThan(100);
  });

  it('is filled in as the form library does where it sees the whole schema', () => {
    let parts = 0;
    for (const form of forms) {
      const { name, schema } = form;
      const { fill, outline, validator } = formParts(schema);
      const whole = createSchemaUtils<Values>(schemaValidator, schema);
      const divided = createSchemaUtils<Values>(validator, outline);
      for (const values of fillingsOf(form)) {
        const wanted = whole.getDefaultFormState(schema, values);
        expect(fill(values), name).toEqual(wanted);
        // As it is after each key: the library has filled in what it sees.
        const shown = divided.getDefaultFormState(outline, values) as Values;
        expect(fill(shown), name).toEqual(wanted);
      }
      parts += Object.keys(outline.definitions ?? {}).length;
    }
    expect(parts).toBeGreaterThan(100);
  });

  it('begins items of lists as the form library does where it sees the whole schema', () => {
    let lists = 0;
    for (const { name, schema } of forms) {
      const { fill } = formParts(schema);
      const whole = createSchemaUtils<Values>(schemaValidator, schema);
      for (const [list, field] of Object.entries(schema.properties ?? {})) {
        const { items } = field as { readonly items?: RJSFSchema };
        if (items?.$ref === undefined) continue;
        lists += 1;
        const item: unknown = whole.getDefaultFormState(items);
        const wanted = whole.getDefaultFormState(schema, { [list]: [item] });
        expect(fill({ [list]: [undefined] }), `${name} ${list}`).toEqual(wanted);
      }
    }
    expect(lists).toBeGreaterThan(10);
  });

  it('is checked as the schema as a whole is', () => {
    let problems = 0;
    for (const form of forms) {
      const { name, schema } = form;
      const { outline, validator } = formParts(schema);
      const errorsBy = (check: typeof validator, by: RJSFSchema, values: Values): string[] =>
        check
          .validateFormData(values, by)
          .errors.map(({ property = '', message = '' }) => `${property} ${message}`)
          .sort();
      for (const values of fillingsOf(form)) {
        const here = errorsBy(validator, outline, values);
        problems += here.length;
        expect(here, name).toEqual(errorsBy(schemaValidator, schema, values));
      }
    }
    expect(problems).toBeGreaterThan(100);
  });
});
