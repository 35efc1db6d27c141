/** A text that is saved while it is typed: after a pause, by Enter, and when the field is left. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Edits } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';

/** Milliseconds without a key after which what was typed is saved. */
const PAUSE_MS = 600;

export interface Typed {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** `edits`: those by which a text is saved; none if it cannot be. What they lead to is checked with each key. */
export function useTyped(saved: string, edits: (text: string) => Edits): Typed {
  const { draft, edit, check } = useStudio();
  const [typed, setTyped] = useState<string | null>(null);
  /** What the author saw before the first key. */
  const revision = useRef<number | null>(null);
  const flush = (): void => {
    if (typed === null || typed === saved) return;
    const before = revision.current ?? draft.seen;
    revision.current = null;
    void (async () => {
      const isSaved = await edit(edits(typed), before);
      if (!isSaved) check([]);
      // Saved or refused, the field has what is saved, unless more was typed.
      setTyped((now) => (now === typed ? null : now));
    })();
  };
  useEffect(() => {
    if (typed === null || typed === saved) return;
    const timer = setTimeout(flush, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
    // A pause begins with a key, and not when the screen is drawn again.
  }, [typed]);
  return {
    value: typed ?? saved,
    onChange: (text) => {
      revision.current ??= draft.seen;
      setTyped(text);
      check(text === saved ? [] : edits(text));
    },
    onBlur: () => {
      flush();
      if (typed === saved) setTyped(null);
    },
    onKeyDown: (event) => {
      if (event.key === 'Escape') {
        revision.current = null;
        setTyped(null);
        check([]);
      } else if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) flush();
    },
  };
}

/** A value that is shown as chosen while it is saved. */
export function useChosen<Value>(
  saved: Value,
  save: (value: Value) => Promise<unknown>,
): [Value, (value: Value) => void] {
  const [chosen, setChosen] = useState<{ readonly value: Value } | null>(null);
  const choose = (value: Value): void => {
    const choice = { value };
    setChosen(choice);
    void (async () => {
      await save(value);
      setChosen((now) => (now === choice ? null : now));
    })();
  };
  return [chosen === null ? saved : chosen.value, choose];
}
