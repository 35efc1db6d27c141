/** The fields of a form, from the JSON Schema of its credential. Server errors appear at their fields. */
import { BlockworkApiError } from '@blockwork/client';
import Form, { type IChangeEvent } from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, RJSFSchema } from '@rjsf/utils';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { usePeople } from '../../session/people.js';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { useSend, type Slot } from '../policy-context.js';
import type { Values } from './form-defaults.js';
import { formParts } from './form-parts.js';
import { presetValues, type PresetField } from './form-presets.js';
import { errorTree, fieldPath, formSchema, formUi } from './form-schema.js';
import { HelpField } from './help-field.js';
import { linksIn, withLinkedLists } from './linked-lists.js';
import { listTemplates } from './form-list.js';
import { PartField, PartsContext } from './part-field.js';
import { PlaceField } from './place-field.js';
import { allClosed, focusProblem, nothingRevealed, revealed } from './reveal.js';
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

const fields = { help: HelpField, part: PartField, place: PlaceField };
const noFields: RJSFSchema = {};

export default function FormFields({ uuid, answer, row, onSent }: FieldsProps): ReactNode {
  const send = useSend({ uuid });
  const { active } = usePeople();
  const { presetFields = [] } = answer;
  const document = answer.schema?.document ?? noFields;
  const parts = useMemo(() => formParts(formSchema(document, answer.hideFields ?? [])), [answer, document]);
  const ui = useMemo(() => formUi(document, texts.page.send, fixedFields(answer)), [answer, document]);
  const links = useMemo(() => linksIn(document), [document]);
  const completed = (values: Values): Values => parts.fill(withLinkedLists(links, parts.shown(values)));
  const preset = (): Values => completed(presetValues(document, presetFields, row ?? answer.data, active?.name ?? ''));
  const [values, setValues] = useState<Values>(preset);
  const [isSent, setIsSent] = useState(false);
  const [reveal, setReveal] = useState(nothingRevealed);
  const context = useMemo(() => ({ parts, reveal }), [parts, reveal]);
  const area = useRef<HTMLDivElement>(null);
  const { error } = send;
  useEffect(() => {
    if (error instanceof BlockworkApiError) setReveal(revealed(error.details.map(({ path }) => fieldPath(path))));
  }, [error]);
  // The first problem may be in a part that has just been expanded.
  useEffect(() => {
    if (reveal.isFocusing) focusProblem(area.current);
  }, [reveal]);
  const submit = ({ formData }: IChangeEvent<Values>): void => {
    setIsSent(false);
    send.mutate(
      { document: formData ?? {}, ref: row ?? answer.data ?? null },
      {
        onSuccess: () => {
          setValues(preset());
          setReveal(allClosed());
          setIsSent(true);
          onSent?.();
        },
      },
    );
  };
  const atFields: ErrorSchema = error instanceof BlockworkApiError ? errorTree(error.details) : {};
  return (
    <PartsContext value={context}>
      <div ref={area}>
        <Form<Values>
          schema={parts.outline}
          uiSchema={ui}
          fields={fields}
          templates={listTemplates}
          validator={parts.validator}
          formData={values}
          extraErrors={atFields}
          showErrorList={false}
          noHtml5Validate
          disabled={send.isPending}
          onChange={({ formData }) => {
            setValues(completed(formData ?? {}));
          }}
          onSubmit={submit}
          // Errors are shown at their fields.
          onError={(problems) => {
            setReveal(revealed(problems.map(({ property = '' }) => fieldPath(property))));
          }}
        />
      </div>
      {error !== null && <Failure error={error} />}
      {isSent && <p role="status">{texts.page.sent}</p>}
    </PartsContext>
  );
}

const fixedFields = ({ presetFields = [] }: FormAnswer): string[] =>
  presetFields.flatMap(({ name, readonly }) => (readonly === true ? name : []));
