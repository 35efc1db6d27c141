/** A JSON value to look at. Text stays text. */
import type { ReactNode } from 'react';

export const JsonView = ({ value }: { readonly value: unknown }): ReactNode => (
  <pre className="json" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
