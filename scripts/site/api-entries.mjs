/** What the search of the site finds of the API reference: each exported name, and the methods of classes and interfaces. */
import { ReflectionKind } from 'typedoc';

const exported = ReflectionKind.Class | ReflectionKind.Interface | ReflectionKind.Function | ReflectionKind.TypeAlias;
const kinds = exported | ReflectionKind.Variable | ReflectionKind.Enum;

/** The first sentence says what something is; the rest is on its page. */
const TEXT_AT_MOST = 200;

/**
 * @param router the addresses of a reference that was rendered
 * @returns {{ address: string, title: string, heading: string, text: string }[]} addresses are relative to the reference
 */
export function apiEntries(project, router) {
  const entries = project.getReflectionsByKind(kinds).map((reflection) => entryOf(reflection, router));
  const methods = project
    .getReflectionsByKind(ReflectionKind.Method)
    .filter(({ parent, inheritedFrom }) => parent?.kindOf(exported) && inheritedFrom === undefined)
    .map((reflection) => entryOf(reflection, router, `${reflection.parent.name}.${reflection.name}`));
  return [...entries, ...methods].filter((entry) => entry !== undefined);
}

function entryOf(reflection, router, heading = reflection.name) {
  if (!router.hasUrl(reflection)) return undefined;
  const module = reflection.getFullName().split('.')[0];
  const comment = reflection.comment ?? reflection.signatures?.[0]?.comment;
  const text = (comment?.summary ?? []).map((part) => part.text).join('');
  return { address: router.getFullUrl(reflection), title: module, heading, text: text.slice(0, TEXT_AT_MOST) };
}
