/** Validation failures as error details: JSON pointers into the input, and messages. */
import type { ErrorDetail } from '@blockwork/core/block';
import type { ErrorObject } from 'ajv';
import { withoutOtherAlternatives } from './alternatives.js';
import { FORBIDDEN } from './conditions/keywords.js';
import { FAILURES } from './limits.js';

/** `where`: JSON pointer of the subject within the input. Without duplicates. */
export function toFailures(errors: readonly ErrorObject[], where: string): ErrorDetail[] {
  const details = withoutOtherAlternatives(errors)
    .filter(({ keyword }) => keyword !== 'if')
    .map((error) => toDetail(error, where));
  const seen = new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail]));
  return [...seen.values()].slice(0, FAILURES);
}

function toDetail({ keyword, instancePath, params, message }: ErrorObject, where: string): ErrorDetail {
  const at = where + instancePath;
  const { missingProperty, additionalProperty, allowedValues, property } = params as Record<string, unknown>;
  if (keyword === 'required') return { path: at + step(missingProperty), message: 'is required' };
  if (keyword === 'additionalProperties') return { path: at + step(additionalProperty), message: 'is not known here' };
  if (keyword === FORBIDDEN) return { path: at + step(property), message: message ?? 'is not allowed' };
  if (keyword === 'enum' && Array.isArray(allowedValues)) {
    const values = allowedValues.slice(0, 20).map((value) => JSON.stringify(value));
    return { path: at, message: `must be one of ${values.join(', ')}${allowedValues.length > 20 ? ', …' : ''}` };
  }
  return { path: at, message: message ?? 'is not valid' };
}

const step = (name: unknown): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
