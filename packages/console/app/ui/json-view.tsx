/** A read-only JSON value; strings are shown as plain text. */
import type { ReactNode } from 'react';

export const JsonView = ({ value }: { readonly value: unknown }): ReactNode => (
  <pre className="json" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
