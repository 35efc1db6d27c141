/** The policy as JSON, in an editor: what is typed is saved as soon as it is JSON, and what others change appears. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { forceLinting, linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import { EditorState, StateEffect } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { WrittenDefinition } from '../draft/draft.js';
import { isRecord } from '../draft/operations.js';
import { useStudio, type Studio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { rangeOf } from './json-range.js';
import { languageSupport } from './language-support.js';

/** Milliseconds without a key after which what was typed is saved. */
const PAUSE_MS = 700;

/** Findings come from the server, after the text. */
const findingsChanged = StateEffect.define();

const written = (definition: unknown): string => JSON.stringify(definition, null, 2);

export default function CodeView(): ReactNode {
  const studio = useStudio();
  const { definition, findings } = studio;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(studio);
  latest.current = studio;
  const [typing] = useState(() => new Typing(latest));
  useEffect(() => {
    if (host.current === null) return;
    // The editor brings its own styles, which only a root of its own takes without inline styles in the page.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const created = new EditorView({ parent: root, root, state: stateOf(latest, typing) });
    // Who has no mouse scrolls it by keys, in a trial as well, when nothing in it can be typed.
    created.scrollDOM.tabIndex = 0;
    view.current = created;
    return () => {
      typing.flush();
      created.destroy();
    };
  }, [typing]);
  useEffect(() => {
    const shown = view.current;
    if (shown === null || typing.isUnsaved) return;
    const text = written(definition);
    if (shown.state.doc.toString() === text) return;
    typing.isOwn = false;
    shown.dispatch({ changes: smallestChange(shown.state.doc.toString(), text) });
    typing.isOwn = true;
  }, [definition, typing]);
  useEffect(() => {
    if (view.current === null) return;
    view.current.dispatch({ effects: findingsChanged.of(null) });
    forceLinting(view.current);
  }, [findings]);
  return <div ref={host} className="code" />;
}

interface Latest {
  readonly current: Studio;
}

/** What was typed and is not saved yet. */
class Typing {
  isUnsaved = false;
  /** Whether changes of the text are the author's. */
  isOwn = true;
  #text = '';
  #seen = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly latest: Latest) {}

  note(text: string): void {
    if (!this.isUnsaved) this.#seen = this.latest.current.draft.seen;
    this.isUnsaved = true;
    this.#text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.flush();
    }, PAUSE_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    if (!this.isUnsaved) return;
    const definition = definitionIn(this.#text);
    if (definition === undefined) return;
    const text = this.#text;
    void (async () => {
      const { draft } = this.latest.current;
      await draft.replace(definition, this.#seen);
      if (this.#text === text) this.isUnsaved = false;
      else this.#seen = draft.seen;
    })();
  }
}

function stateOf(latest: Latest, typing: Typing): EditorState {
  const { definition, isReadOnly } = latest.current;
  return EditorState.create({
    doc: written(definition),
    extensions: [
      ...[lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), json()],
      isReadOnly ? [] : languageSupport(() => latest.current),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      syntaxHighlighting(highlighting),
      theme,
      linter((view) => [...syntaxProblems(view), ...placed(view, latest.current)], {
        needsRefresh: ({ transactions }) =>
          transactions.some(({ effects }) => effects.some((effect) => effect.is(findingsChanged))),
      }),
      EditorState.readOnly.of(isReadOnly),
      EditorView.contentAttributes.of({ 'aria-label': studioTexts.code.label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged && typing.isOwn) typing.note(state.doc.toString());
      }),
    ],
  });
}

const syntaxOf = jsonParseLinter();

function syntaxProblems(view: EditorView): Diagnostic[] {
  const problems = syntaxOf(view);
  if (problems.length > 0 || definitionIn(view.state.doc.toString()) !== undefined) return problems;
  return [{ from: 0, to: 1, severity: 'error', message: studioTexts.code.noPolicy }];
}

const severities = { error: 'error', warning: 'warning', information: 'info' } as const;

/** The findings where they are in the text. */
function placed({ state }: EditorView, { findings }: Studio): Diagnostic[] {
  return findings.flatMap(({ severity, message, path }) => {
    const range = rangeOf(state, `/config${path}`);
    return range === undefined ? [] : [{ ...range, severity: severities[severity], message }];
  });
}

function definitionIn(text: string): WrittenDefinition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isDefinition = isRecord(value) && typeof value['name'] === 'string' && isRecord(value['config']);
    return isDefinition ? (value as WrittenDefinition) : undefined;
  } catch {
    return undefined;
  }
}

/** What differs between their beginnings and ends, so that the place one reads at stays. */
function smallestChange(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--card)',
  },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-explained': { maxWidth: '30rem', padding: '0.35rem 0.6rem' },
  '.cm-explained p': { margin: '0.25rem 0 0' },
});
