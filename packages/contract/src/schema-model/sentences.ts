/** Conditions in the words of people. */
import type { Comparison, Condition } from './condition.js';
import type { ConditionRule } from './rule.js';

/** What a field is called, by its path. */
export type Naming = (path: readonly string[]) => string;

/** Such as `When Technology is Solar or Wind, ask Capacity and Area; otherwise ask Mass.` */
export function sentenceOf({ if: test, then, otherwise }: ConditionRule, name: Naming): string {
  const names = (fields: ConditionRule['then']): string =>
    listed(
      fields.map(({ key }) => name([key])),
      'and',
    );
  const first = then.length === 0 ? 'ask nothing more' : `ask ${names(then)}`;
  return `When ${wordsOf(test, name)}, ${first}${otherwise.length === 0 ? '' : `; otherwise ask ${names(otherwise)}`}.`;
}

/** Such as `Technology is Solar or Wind`. */
export function wordsOf(condition: Condition, name: Naming): string {
  switch (condition.kind) {
    case 'is':
      return compared(condition, [condition], name);
    case 'not':
      return condition.of.kind === 'is'
        ? compared(condition.of, [condition.of], name, ' not')
        : `it is not so that ${wordsOf(condition.of, name)}`;
    case 'all':
    case 'any': {
      const word = condition.kind === 'all' ? 'and' : 'or';
      const parts = grouped(condition.of, condition.kind).map((group) => {
        const [first] = group;
        if (first?.kind === 'is') return compared(first, group as Comparison[], name);
        const words = first === undefined ? '' : wordsOf(first, name);
        return first?.kind === 'all' || first?.kind === 'any' ? `(${words})` : words;
      });
      return listed(parts, word);
    }
  }
}

/** Choices of one field are told together: `Technology is Solar or Wind`. */
function grouped(parts: readonly Condition[], kind: 'all' | 'any'): Condition[][] {
  const groups: Condition[][] = [];
  const byField = new Map<string, Condition[]>();
  for (const part of parts) {
    const field =
      part.kind === 'is' && kind === 'any' ? JSON.stringify([part.path, part.of, part.orUnanswered]) : undefined;
    const group = field === undefined ? undefined : byField.get(field);
    if (group !== undefined) group.push(part);
    else {
      const group = [part];
      groups.push(group);
      if (field !== undefined) byField.set(field, group);
    }
  }
  return groups;
}

function compared({ path, of, orUnanswered }: Comparison, all: readonly Comparison[], name: Naming, not = ''): string {
  const values = listed(
    all.map(({ value }) => shown(value)),
    'or',
  );
  const unanswered = orUnanswered === undefined ? '' : ' or not answered';
  const field = name(path);
  if (of === 'each') return `every answer of ${field} is${not} ${values}${unanswered}`;
  if (of === 'any') return `${field} ${not === '' ? 'has' : 'has not'} the answer ${values}${unanswered}`;
  return `${field} is${not} ${values}${unanswered}`;
}

const shown = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value === '' ? 'empty' : String(value);
};

function listed(parts: readonly string[], word: 'and' | 'or'): string {
  if (parts.length <= 1) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1) ?? ''}`;
}
