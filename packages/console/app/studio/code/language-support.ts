/** Completion and hover of the code editor. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, keymap, type EditorView } from '@codemirror/view';
import { meaningAt, proposalsAt, type PolicyParts, type Proposal } from './completions.js';
import { jsonPlaceAt } from './json-place.js';

/** `parts`: of the policy as it is now. */
export const languageSupport = (parts: () => PolicyParts): Extension => [
  closeBrackets(),
  autocompletion({ override: [(context) => complete(context, parts())], icons: false }),
  keymap.of([...closeBracketsKeymap, ...completionKeymap]),
  hoverTooltip(({ state }, position) => {
    const meaning = meaningAt(state.doc.toString(), position, parts());
    if (meaning === undefined) return null;
    return { pos: meaning.from, end: meaning.to, above: true, create: () => ({ dom: explained(meaning) }) };
  }),
];

function complete({ state, pos, explicit }: CompletionContext, parts: PolicyParts): CompletionResult | null {
  const place = proposalsAt(state.doc.toString(), pos, parts);
  if (place === undefined) return null;
  // Between two words only who asks for it is helped.
  if (!explicit && place.from === place.to) return null;
  const isQuoted = state.sliceDoc(place.from, place.from + 1) === '"';
  return {
    // The word is compared without its quotes, which are replaced as well.
    from: place.from + (isQuoted ? 1 : 0),
    options: place.proposals.map(optionOf),
    validFor: /^[^"\n]*$/,
  };
}

function optionOf({ label, written, detail, description }: Proposal): Completion {
  return {
    label,
    ...(detail !== '' && { detail }),
    ...(description !== '' && { info: description }),
    apply: (view, _completion, _from, position) => {
      // The whole word as it is by now, with its quotes.
      const place = jsonPlaceAt(view.state.doc.toString(), position);
      if (place === undefined) return;
      const { from, to, kind } = place;
      const insert = kind === 'name' ? withColon(view, to, written) : written;
      const selection = { anchor: from + insert.length };
      view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.complete' });
    },
  };
}

/** A name without a value is followed by a colon. */
const withColon = (view: EditorView, end: number, written: string): string =>
  /^\s*:/.test(view.state.sliceDoc(end, end + 10)) ? written : `${written}: `;

function explained({ label, detail, description }: Proposal): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-explained';
  const title = box.appendChild(document.createElement('strong'));
  title.textContent = detail === '' ? label : `${label}: ${detail}`;
  if (description !== '') box.appendChild(document.createElement('p')).textContent = description;
  return box;
}
