/** A help text: a field without a value. */
import type { FieldProps } from '@rjsf/utils';
import type { ReactNode } from 'react';

export const HelpField = ({ schema, name }: FieldProps): ReactNode => <p className="quiet">{schema.title ?? name}</p>;
