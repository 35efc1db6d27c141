/** Signing in: a pasted token. */
import { useId, useState, type ReactNode } from 'react';
import { texts } from '../texts.js';
import { addPerson, personOf } from './people.js';

export function SignIn({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const id = useId();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
  const submit = (): void => {
    const person = personOf(token.trim().replace(/^Bearer\s+/i, ''));
    if (person === null) return setProblem(texts.signIn.malformed);
    if (person.expires !== null && person.expires < Date.now()) return setProblem(texts.signIn.expired);
    setProblem('');
    setToken('');
    addPerson(person);
    onDone?.();
  };
  return (
    <form
      className="sign-in stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="quiet">{texts.signIn.explain}</p>
      <label htmlFor={id}>{texts.signIn.token}</label>
      <textarea
        id={id}
        rows={4}
        required
        spellCheck={false}
        autoComplete="off"
        value={token}
        aria-describedby={`${id}-problem`}
        aria-invalid={problem !== ''}
        onChange={(event) => {
          setToken(event.target.value);
        }}
      />
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </p>
      <button type="submit" className="primary">
        {texts.signIn.submit}
      </button>
    </form>
  );
}
