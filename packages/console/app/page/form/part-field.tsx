/** A part of a form: the fields of a nested schema. In long forms, large parts start collapsed. */
import ObjectField from '@rjsf/core/lib/components/fields/ObjectField.js';
import { useDeepCompareMemo, type ErrorSchema, type FieldProps, type RJSFSchema, type UiSchema } from '@rjsf/utils';
import { createContext, useContext, useId, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { countText } from '../../ui/format.js';
import type { Values } from './form-defaults.js';
import type { FormParts } from './form-parts.js';
import { partKey, type Reveal } from './reveal.js';

export const PartsContext = createContext<{ readonly parts: FormParts; readonly reveal: Reveal } | null>(null);

const words = texts.part;
/** Without the field, or this component would render itself recursively. */
const inner = ({ 'ui:field': _field, ...ui }: UiSchema = {}): UiSchema => ui;

export function PartField(props: FieldProps<Values>): ReactNode {
  const context = useContext(PartsContext);
  if (context === null) throw new Error('A part of a form is drawn outside of a form.');
  const { parts, reveal } = context;
  const field = useDeepCompareMemo(props.schema);
  const schema = useMemo(() => parts.schemaOf(field), [parts, field]);
  // The button of a closed part already shows the title.
  if (!parts.isFolded(field)) return <ObjectField {...props} schema={schema} uiSchema={inner(props.uiSchema)} />;
  return (
    <FoldedPart {...props} schema={schema} parts={parts} reveal={reveal}>
      <ObjectField {...props} schema={schema} uiSchema={{ ...inner(props.uiSchema), 'ui:label': false }} />
    </FoldedPart>
  );
}

interface FoldedProps extends FieldProps<Values> {
  readonly parts: FormParts;
  readonly reveal: Reveal;
  readonly children: ReactNode;
}

function FoldedPart(props: FoldedProps): ReactNode {
  const { schema, name, title, required = false, formData, errorSchema, fieldPathId, parts, reveal, children } = props;
  const isRevealed = reveal.parts?.has(partKey(fieldPathId.path)) === true;
  const place = fieldPathId.path.at(-1);
  const isItem = typeof place === 'number';
  // A newly added item starts expanded.
  const isNewItem = isItem && isUntouched(parts, schema, formData);
  const [isOpen, setIsOpen] = useState(isRevealed || isNewItem);
  const [last, setLast] = useState(reveal);
  if (last !== reveal) {
    setLast(reveal);
    if (isRevealed || reveal.parts === null) setIsOpen(isRevealed);
  }
  const titleId = useId();
  return (
    <div id={`${fieldPathId.$id}-part`} className="part" role="group" aria-labelledby={titleId}>
      <button
        type="button"
        className="part-head"
        aria-expanded={isOpen}
        onClick={() => {
          setIsOpen(!isOpen);
        }}
      >
        <span id={titleId} className="part-title">
          {schema.title ?? title ?? name}
          {isItem && ` ${countText(place + 1)}`}
          {required && <span className="required">*</span>}
        </span>
        {!isOpen && <PartState parts={parts} schema={schema} values={formData} errors={errorSchema} />}
      </button>
      {isOpen && children}
    </div>
  );
}

interface StateProps {
  readonly parts: FormParts;
  readonly schema: RJSFSchema;
  readonly values: Values | undefined;
  readonly errors: ErrorSchema | undefined;
}

/** The completion state of a collapsed part. */
function PartState({ parts, schema, values, errors }: StateProps): ReactNode {
  const wrong = useMemo(() => countErrors(errors), [errors]);
  const [filled, missing] = useMemo(() => {
    if (values === undefined || isUntouched(parts, schema, values)) return [0, 0];
    return [countValues(values), parts.problemsIn(schema, values)];
  }, [parts, schema, values]);
  if (wrong > 0) return <span className="part-state mark error">{words.wrong(wrong)}</span>;
  if (filled === 0) return <span className="part-state quiet">{words.empty}</span>;
  if (missing > 0) return <span className="part-state mark warning">{words.unfinished(filled, missing)}</span>;
  return <span className="part-state mark">{words.complete(filled)}</span>;
}

const isUntouched = (parts: FormParts, schema: RJSFSchema, values: Values | undefined): boolean =>
  JSON.stringify(values ?? {}) === '{}' || JSON.stringify(values) === JSON.stringify(parts.emptyPart(schema));

/** Entries of fields changed since then remain, but are `undefined`. */
const countErrors = ({ __errors = [], ...below }: ErrorSchema = {}): number =>
  Object.values(below as Readonly<Record<string, ErrorSchema | undefined>>).reduce(
    (sum, each) => sum + countErrors(each),
    __errors.length,
  );

/** A GeoJSON object counts as one. */
const countValues = (value: unknown): number => {
  if (value === undefined || value === null || value === '') return 0;
  if (typeof value !== 'object' || 'coordinates' in value) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 0);
};
