/** Path parameters. Each has one pattern, which the request check and the schema share. */
import { z } from 'zod';

export interface Parameter {
  readonly description: string;
  /** Maximum length in characters. */
  readonly maxLength: number;
  readonly pattern: RegExp;
  /** Completes the sentence "policyId must be ...". */
  readonly form: string;
  /** At the end of a path: the rest of it, with slashes as they are or percent-encoded. */
  readonly hasSlashes?: true;
  readonly schema: z.ZodType<string, string>;
}

function parameter(facts: Omit<Parameter, 'schema'>): Parameter {
  const schema = z
    .string()
    .max(facts.maxLength)
    .regex(facts.pattern, `must be ${facts.form}`)
    .describe(facts.description);
  return { ...facts, schema };
}

/** The names of parameters that may have slashes. */
export const withSlashes = (parameters: Readonly<Record<string, Parameter>>): ReadonlySet<string> =>
  new Set(Object.keys(parameters).filter((name) => parameters[name]?.hasSlashes === true));

/** Runs on every request; a zod parse would take several times as long. */
export const fits = (parameter: Parameter, value: string): boolean =>
  value.length <= parameter.maxLength && parameter.pattern.test(value);

/** The engine chooses policy ids, so only impossible ones are rejected here. */
export const policyId = parameter({
  description: 'The policy identifier.',
  maxLength: 200,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 200 characters without control characters',
});

/** Any UUID by shape: policy files have version bits unknown to RFC 9562. */
export const blockUuid = parameter({
  description: 'The UUID of a block of the policy.',
  maxLength: 36,
  pattern: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  form: 'a UUID',
});

export const blockTag = parameter({
  description: 'The tag of a block of the policy, percent-encoded.',
  maxLength: 500,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 500 characters without control characters',
});

export const documentId = parameter({
  description: 'The identifier of a document of the policy, percent-encoded.',
  maxLength: 200,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 200 characters without control characters',
});

export const tokenId = parameter({
  description: 'The identifier of a token of the policy.',
  maxLength: 100,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 100 characters without control characters',
});

export const schemaIri = parameter({
  description: 'The IRI of a schema, percent-encoded.',
  maxLength: 500,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 500 characters without control characters',
});

export const did = parameter({
  description: 'The DID of an identity, percent-encoded.',
  maxLength: 500,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 500 characters without control characters',
});

export const journalEntryId = parameter({
  description: 'The identifier of a journal entry: twelve digits.',
  maxLength: 16,
  pattern: /^\d{12,16}$/,
  form: 'twelve digits',
});

export const logSize = parameter({
  description: 'The number of entries that the log had.',
  maxLength: 15,
  pattern: /^[1-9]\d*$/,
  form: 'a whole number, 1 or more',
});

export const logTile = parameter({
  description:
    'The address of a tile as C2SP `tlog-tiles` writes it below `tile/`, such as `0/x001/067` or `entries/000.p/17`.',
  maxLength: 40,
  pattern: /^(?:entries|\d{1,2})\/(?:x\d{3}\/){0,4}\d{3}(?:\.p\/\d{1,3})?$/,
  form: 'the address of a tile',
  hasSlashes: true,
});

export const notificationId = parameter({
  description: 'The identifier of a notification.',
  maxLength: 200,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 200 characters without control characters',
});

export const webhookId = parameter({
  description: 'The identifier of a webhook.',
  maxLength: 200,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 200 characters without control characters',
});

export const savepointId = parameter({
  description: 'The identifier of a savepoint.',
  maxLength: 200,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 200 characters without control characters',
});

export const messageId = parameter({
  description: 'The identifier of the request, of the form `<digits>.<digits>`.',
  maxLength: 64,
  pattern: /^\d+\.\d+$/,
  form: 'of the form <digits>.<digits>',
});

export const identityKey = parameter({
  description: 'A public key as a multikey.',
  maxLength: 100,
  pattern: /^z[1-9A-HJ-NP-Za-km-z]+$/,
  form: 'a multikey: z and base 58',
});
