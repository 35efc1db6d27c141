/** Reduces the errors of `oneOf` and `anyOf` to those of the alternative that the value was meant to match. */
import type { ErrorObject } from 'ajv';

/** `errors`: in the validator's order, in which the errors of the alternatives directly precede that of the choice. */
export function withoutOtherAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    const begin = isChoice(error) ? beginOf(kept, error) : kept.length;
    const relevant = begin < kept.length ? relevantErrors(error, byAlternative(kept.slice(begin), error)) : undefined;
    if (relevant === undefined) kept.push(error);
    else kept.splice(begin, kept.length, ...relevant);
  }
  return kept;
}

const isChoice = ({ keyword }: ErrorObject): boolean => keyword === 'oneOf' || keyword === 'anyOf';

function beginOf(errors: readonly ErrorObject[], choice: ErrorObject): number {
  let begin = errors.length;
  for (let each = errors[begin - 1]; each !== undefined && isWithin(each, choice); each = errors[begin - 1]) begin -= 1;
  return begin;
}

function byAlternative(errors: readonly ErrorObject[], choice: ErrorObject): ErrorObject[][] {
  const alternatives = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const name = error.schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0] ?? '';
    const known = alternatives.get(name);
    if (known === undefined) alternatives.set(name, [error]);
    else known.push(error);
  }
  return [...alternatives.values()];
}

/** The path of the value is compared as well, since a schema may apply to several values. */
const isWithin = (error: ErrorObject, choice: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
  (error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`));

/** `undefined` if the intended alternative cannot be determined. */
function relevantErrors(
  choice: ErrorObject,
  alternatives: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const common = commonErrors(alternatives);
  if (common.length > 0) return common;
  const possible = alternatives.filter((errors) => !errors.some((error) => rulesOut(error, choice)));
  if (possible.length === 1) return [...(possible[0] ?? [])];
  return possible.length === 0 ? unknownDiscriminator(choice, alternatives) : undefined;
}

/** The errors that all alternatives have in common. */
function commonErrors([first = [], ...others]: readonly (readonly ErrorObject[])[]): ErrorObject[] {
  const known = others.map((errors) => new Set(errors.map(errorKey)));
  return first.filter((error) => valuesOf(error) === undefined && known.every((each) => each.has(errorKey(error))));
}

const errorKey = ({ instancePath, keyword, message = '' }: ErrorObject): string =>
  [instancePath, keyword, message].join('\n');

/** Whether the error rules the alternative out: the value's type, or a discriminating member, differs. */
function rulesOut({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  if (instancePath === choice.instancePath) return keyword === 'type';
  const isMember = instancePath.lastIndexOf('/') === choice.instancePath.length;
  return isMember && (keyword === 'enum' || keyword === 'const');
}

/** A single error with the values that all alternatives allow for the discriminating member. */
function unknownDiscriminator(
  choice: ErrorObject,
  alternatives: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const discriminators = alternatives.map((errors) =>
    errors.find((error) => rulesOut(error, choice) && valuesOf(error)),
  );
  const [first] = discriminators;
  if (first === undefined || discriminators.some((each) => each?.instancePath !== first.instancePath)) return undefined;
  const allowedValues = [...new Set(discriminators.flatMap((each) => (each && valuesOf(each)) ?? []))];
  return [{ ...first, keyword: 'enum', params: { allowedValues } }];
}

function valuesOf({ params }: ErrorObject): readonly unknown[] | undefined {
  const { allowedValues, allowedValue } = params as { allowedValues?: readonly unknown[]; allowedValue?: unknown };
  return allowedValues ?? (allowedValue === undefined ? undefined : [allowedValue]);
}
