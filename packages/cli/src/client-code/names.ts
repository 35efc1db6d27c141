/** TypeScript identifiers for names in policies, and comments for texts of them. */

const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const notFirst = (name: string): string => (/^\p{L}/u.test(name) ? name : `_${name}`);

/** `create_application` becomes `createApplication`. */
export const methodNames = (tags: readonly string[]): string[] => distinct(tags.map(camelCase));

function camelCase(text: string): string {
  const [first = 'block', ...others] = words(text);
  return notFirst(first.charAt(0).toLowerCase() + first.slice(1) + others.map(capital).join(''));
}

const reserved =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield|arguments|eval)$/;
const notReserved = (name: string): string => (reserved.test(name) ? `${name}_` : name);

/** `Project Application` becomes `projectApplication`. */
export const constantNames = (names: readonly string[], takenNames: readonly string[]): string[] =>
  distinct(names.map(camelCase).map(notReserved), takenNames);

/** Names used by the generated code, not available to schemas. */
export function typeNames(names: readonly string[]): Map<string, string> {
  const types = distinct(names, ['Client', 'Grid', 'Query', 'Row', 'Readonly', 'Record']);
  return new Map(names.map((name, index) => [name, types[index] ?? name]));
}

export const memberName = (name: string): string =>
  /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);

/** Duplicate names are numbered. */
function distinct(names: readonly string[], takenNames: readonly string[] = []): string[] {
  const used = new Set(takenNames);
  return names.map((name) => {
    let candidate = name;
    for (let number = 2; used.has(candidate); number += 1) candidate = `${name}${number}`;
    used.add(candidate);
    return candidate;
  });
}

/** Escapes text from a policy so that it cannot end the comment. */
export const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
