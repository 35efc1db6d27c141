/** Of a value that fits none of several alternatives, only the failures of the one that it was meant to be. */
import type { ErrorObject } from 'ajv';

/** In the order of the validator: what fails in the alternatives stands right before what says that none of them fits. */
export function withoutOtherKinds(errors: readonly ErrorObject[]): ErrorObject[] {
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

/** A schema that is used at several places fails at each of them by itself. */
const isWithin = (error: ErrorObject, choice: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
  (error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`));

/** `undefined`: nothing tells one alternative from the others. */
function relevantErrors(
  choice: ErrorObject,
  alternatives: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const common = inAll(alternatives);
  if (common.length > 0) return common;
  const ofItsKind = alternatives.filter((errors) => !errors.some((error) => tellsKind(error, choice)));
  if (ofItsKind.length === 1) return [...(ofItsKind[0] ?? [])];
  return ofItsKind.length === 0 ? unknownKind(choice, alternatives) : undefined;
}

/** What is wrong whatever was meant. */
function inAll([first = [], ...others]: readonly (readonly ErrorObject[])[]): ErrorObject[] {
  const known = others.map((errors) => new Set(errors.map(errorKey)));
  return first.filter((error) => valuesOf(error) === undefined && known.every((each) => each.has(errorKey(error))));
}

const errorKey = ({ instancePath, keyword, message = '' }: ErrorObject): string =>
  [instancePath, keyword, message].join('\n');

/** The value is of another type, or one of its members says that it is something else. */
function tellsKind({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  if (instancePath === choice.instancePath) return keyword === 'type';
  const isMember = instancePath.lastIndexOf('/') === choice.instancePath.length;
  return isMember && (keyword === 'enum' || keyword === 'const');
}

/** All values that the alternatives take for the member that says what the value is. */
function unknownKind(
  choice: ErrorObject,
  alternatives: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const discriminators = alternatives.map((errors) =>
    errors.find((error) => tellsKind(error, choice) && valuesOf(error)),
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
