/** A help text: a field without a value, or with null where the schema requires it. */
import type { FieldProps } from '@rjsf/utils';
import { useEffect, type ReactNode } from 'react';

export function HelpField({ schema, name, required = false, formData, onChange, fieldPathId }: FieldProps): ReactNode {
  useEffect(() => {
    if (required && formData === undefined) onChange(null, fieldPathId.path);
  }, [required, formData, onChange, fieldPathId]);
  return <p className="quiet">{schema.title ?? name}</p>;
}
