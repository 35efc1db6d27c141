/** The fields of a form, from the JSON schema of its credential. The server's refusals are shown at their field. */
import { BlockworkApiError } from '@blockwork/client';
import Form, { type IChangeEvent } from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, RJSFSchema } from '@rjsf/utils';
import { useMemo, useState, type ReactNode } from 'react';
import { usePeople } from '../../session/people.js';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { useSend, type Slot } from '../policy-context.js';
import { presetValues, type PresetField } from './form-presets.js';
import { errorTree, formSchema, formUi } from './form-schema.js';
import { schemaValidator } from './form-validator.js';
import { listTemplates } from './form-list.js';
import { PlaceField } from './place-field.js';
import type { GridRow } from '../grid/rows.js';

export interface FormAnswer extends Slot {
  readonly schema: { readonly document?: RJSFSchema } | null;
  readonly hideFields?: readonly string[];
  readonly data?: GridRow | null;
  readonly presetFields?: readonly PresetField[];
}

interface FieldsProps {
  readonly uuid: string;
  readonly answer: FormAnswer;
  /** The row of the grid that the form was opened from. */
  readonly row?: GridRow;
  readonly onSent?: () => void;
}

type Values = Record<string, unknown>;

const fields = { place: PlaceField };
const noFields: RJSFSchema = {};

export default function FormFields({ uuid, answer, row, onSent }: FieldsProps): ReactNode {
  const send = useSend({ uuid });
  const { active } = usePeople();
  const { presetFields = [] } = answer;
  const document = answer.schema?.document ?? noFields;
  const preset = (): Values => presetValues(document, presetFields, row ?? answer.data, active?.name ?? '');
  const [values, setValues] = useState<Values>(preset);
  const [isSent, setIsSent] = useState(false);
  const schema = useMemo(() => formSchema(document, answer.hideFields ?? []), [answer, document]);
  const ui = useMemo(() => formUi(document, texts.page.send, fixedFields(answer)), [answer, document]);
  const submit = ({ formData }: IChangeEvent<Values>): void => {
    setIsSent(false);
    send.mutate(
      { document: formData ?? {}, ref: row ?? answer.data ?? null },
      {
        onSuccess: () => {
          setValues(preset());
          setIsSent(true);
          onSent?.();
        },
      },
    );
  };
  const error = send.error;
  const atFields: ErrorSchema = error instanceof BlockworkApiError ? errorTree(error.details) : {};
  return (
    <>
      <Form<Values>
        schema={schema}
        uiSchema={ui}
        fields={fields}
        templates={listTemplates}
        validator={schemaValidator}
        formData={values}
        extraErrors={atFields}
        showErrorList={false}
        focusOnFirstError
        noHtml5Validate
        disabled={send.isPending}
        onChange={({ formData }) => {
          setValues(formData ?? {});
        }}
        onSubmit={submit}
        // The problems stand at their fields.
        onError={() => undefined}
      />
      {error !== null && <Failure error={error} />}
      {isSent && <p role="status">{texts.page.sent}</p>}
    </>
  );
}

const fixedFields = ({ presetFields = [] }: FormAnswer): string[] =>
  presetFields.flatMap(({ name, readonly }) => (readonly === true ? name : []));
