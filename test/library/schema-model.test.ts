/** Every schema of the published policies as a model of fields and conditions: what is read from one says all of it. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  commentOf,
  isObject,
  readSchema,
  sentenceOf,
  writeField,
  writeSchema,
  type Json,
  type SchemaField,
  type SchemaModel,
} from '@blockwork/contract/schema-model';
import { writtenAsJson } from '@blockwork/core/files';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { publishedPolicies } from './published.js';

const documentsOf = (path: string): Json[] =>
  ((writtenAsJson(readFileSync(path)).policy['schemas'] ?? []) as Json[])
    .map(({ document }) => document)
    .filter(isObject);

/** The field as its facts alone give it, without what it was read from. */
const fromFacts = ({ source: _, ...field }: SchemaField): Json => writeField(field);

/** What differs between a property and the same written from its facts; `orderPosition` is that of the whole schema. */
function differences(before: Json, after: Json): string[] {
  const facts = (property: Json): Json => {
    const { orderPosition: _, conditionRequired: _c, ...comment } = commentOf(property);
    return { ...property, $comment: comment };
  };
  const [a, b] = [facts(before), facts(after)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((word) => {
    if (isDeepStrictEqual(a[word], b[word])) return [];
    if (word !== '$comment') return [word];
    const [x, y] = [a[word] as Json, b[word] as Json];
    const names = [...new Set([...Object.keys(x), ...Object.keys(y)])];
    return names.filter((name) => !isDeepStrictEqual(x[name], y[name])).map((name) => `comment.${name}`);
  });
}

/** As an editor leaves it that changed each field and changed it back. */
const untouched = (model: SchemaModel): SchemaModel => ({
  ...model,
  fields: model.fields.map((field) => ({ ...field })),
  rules: model.rules.map((rule) => ({ ...rule })),
});

const rulesOf = ({ rules }: SchemaModel): unknown => rules.map(({ source: _, ...rule }) => rule);
const facts = (model: SchemaModel): unknown => ({
  fields: model.fields.map(({ source: _, ...field }) => field),
  rules: rulesOf(model),
});

/** The members that no author wrote. */
function ofEngine(document: Json): Json {
  const fields = new Set(readSchema(document).fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(document['properties'] as Json).filter(([key]) => !fields.has(key)));
}

it.skipIf(publishedPolicies.length === 0)('looks at the schemas of every policy', () => {
  expect(publishedPolicies.flatMap(documentsOf).length).toBeGreaterThan(publishedPolicies.length);
});

describe.each(publishedPolicies.map((path) => [basename(path), path]))('%s', (_, path) => {
  const documents = documentsOf(path);

  it('gives each document back as it was read', () => {
    for (const document of documents) {
      expect(JSON.stringify(writeSchema(untouched(readSchema(document))))).toBe(JSON.stringify(document));
    }
  });

  it('gives each field back from its facts alone', () => {
    const differing = new Set(
      documents.flatMap((document) =>
        readSchema(document).fields.flatMap((field) => differences(field.source ?? {}, fromFacts(field))),
      ),
    );
    expect([...differing]).toEqual([]);
  });

  it('gives each schema back from its facts alone: the same fields, asked for where the same conditions hold', () => {
    for (const document of documents) {
      const model = readSchema(document);
      const alone: SchemaModel = {
        ...model,
        fields: model.fields.map(({ source: _s, ...field }) => field),
        rules: model.rules.map((rule) => (rule.kind === 'kept' ? rule : { ...rule, source: undefined as never })),
        source: { ...document, properties: ofEngine(document), allOf: undefined },
      };
      expect(facts(readSchema(writeSchema(alone)))).toEqual(facts(model));
    }
  });

  it('changes one field and leaves the others, the order and the conditions alone', () => {
    for (const document of documents) {
      const model = readSchema(document);
      const [first, ...others] = model.fields;
      if (first === undefined) continue;
      const changed = writeSchema({ ...model, fields: [{ ...first, question: 'Changed?' }, ...others] });
      const again = readSchema(changed);
      expect(again.fields[0]?.question).toBe('Changed?');
      expect(again.fields.slice(1)).toEqual(others);
      expect(rulesOf(again)).toEqual(rulesOf(model));
      expect(changed['required']).toEqual(document['required']);
    }
  });

  it('reads every condition, and tells it as a sentence', () => {
    for (const document of documents) {
      const { rules } = readSchema(document);
      expect(rules.filter(({ kind }) => kind === 'kept')).toEqual([]);
      for (const rule of rules) {
        if (rule.kind === 'condition')
          expect(sentenceOf(rule, (keys) => keys.join('.'))).toMatch(/^When .+, ask .+\.$/);
      }
    }
  });
});
