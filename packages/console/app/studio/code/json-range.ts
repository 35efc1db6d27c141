/** Where in a JSON text a JSON pointer leads. */
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { stepsOf } from '../draft/operations.js';

type Node = ReturnType<typeof syntaxTree>['topNode'];

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The value, or the last one on the way that is there; `undefined` for a text that is no JSON. */
export function rangeOf(state: EditorState, pointer: string): Range | undefined {
  let at = syntaxTree(state).topNode.firstChild;
  for (const step of stepsOf(pointer)) {
    const next = at === null ? null : memberOf(state, at, step);
    if (next === null) break;
    at = next;
  }
  if (at === null) return undefined;
  // A whole block would be underlined as a whole: its first line says which.
  const { to } = state.doc.lineAt(at.from);
  return { from: at.from, to: Math.max(at.from + 1, Math.min(at.to, to)) };
}

function memberOf(state: EditorState, node: Node, step: string): Node | null {
  if (node.name === 'Object') {
    for (const property of node.getChildren('Property')) {
      const name = property.getChild('PropertyName');
      if (name !== null && state.sliceDoc(name.from, name.to) === JSON.stringify(step)) return property.lastChild;
    }
    return null;
  }
  if (node.name !== 'Array') return null;
  let index = Number(step);
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (/^(Object|Array|String|Number|True|False|Null)$/.test(child.name)) {
      if (index === 0) return child;
      index -= 1;
    }
  }
  return null;
}
