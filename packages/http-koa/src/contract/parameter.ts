/** Path parameters of the contract: one pattern each, from which the router's check and the schema both come. */
import { z } from 'zod';

export interface Parameter {
  readonly description: string;
  /** Characters at most. */
  readonly maxLength: number;
  readonly pattern: RegExp;
  /** Completes the sentence "policyId must be ...". */
  readonly form: string;
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

/** Runs on every request, where a zod parse would cost several times as much. */
export const fits = (parameter: Parameter, value: string): boolean =>
  value.length <= parameter.maxLength && parameter.pattern.test(value);

/** Ids of policies are whatever the engine gave them, so only what can be no id at all is refused here. */
export const policyId = parameter({
  description: 'The policy identifier.',
  maxLength: 200,
  pattern: /^\P{Cc}+$/u,
  form: 'at most 200 characters, none of them a control character',
});

/** A UUID by shape; files in the wild carry version bits that RFC 9562 does not know. */
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
  form: 'at most 500 characters, none of them a control character',
});

export const messageId = parameter({
  description: 'The identifier of the request, of the form `<digits>.<digits>`.',
  maxLength: 64,
  pattern: /^\d+\.\d+$/,
  form: 'of the form <digits>.<digits>',
});
