/** A GeoJSON field: coordinates for a point, text for any other shape. */
import type { ErrorSchema, FieldProps } from '@rjsf/utils';
import { useId, useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';

type Shape = 'none' | 'point' | 'other';
type Coordinate = number | null;
type Values = Record<string, unknown>;

const words = texts.place;
const nothing: Readonly<Record<Shape, unknown>> = {
  none: undefined,
  point: { type: 'Point', coordinates: [null, null] },
  other: '',
};

/** The value is submitted as it is: an object, `undefined` if empty, or the raw text while it is not valid JSON. */
export function PlaceField(props: FieldProps<Values>): ReactNode {
  const { formData, name, schema, required = false, fieldPathId, errorSchema } = props;
  const value: unknown = formData;
  const change = (next: unknown): void => {
    // Text that is not valid JSON yet is a value too.
    props.onChange(next as Values | undefined, fieldPathId.path);
  };
  const isFixed = props.disabled === true || props.readonly === true;
  const point = pointOf(value);
  const shape: Shape = value === undefined || value === null ? 'none' : point === undefined ? 'other' : 'point';
  const problems = point?.includes(null) ? [] : messagesIn(errorSchema);
  return (
    <fieldset className="place" disabled={isFixed} id={fieldPathId.$id}>
      <legend>
        {schema.title ?? name}
        {required && <span className="required">*</span>}
      </legend>
      <Labelled label={words.shape}>
        {(id) => (
          <select
            id={id}
            value={shape}
            onChange={({ target }) => {
              change(nothing[target.value as Shape]);
            }}
          >
            {(['none', 'point', 'other'] as const).map((each) => (
              <option key={each} value={each}>
                {words.shapes[each]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {point !== undefined && <Point coordinates={point} onChange={change} />}
      {shape === 'other' && <GeoJson value={value} onChange={change} />}
      {problems.length > 0 && (
        <ul className="error-detail">
          {problems.map((problem) => (
            <li key={problem} className="text-danger">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface LabelledProps {
  readonly label: string;
  readonly children: (id: string) => ReactNode;
}

function Labelled({ label, children }: LabelledProps): ReactNode {
  const id = useId();
  return (
    <div className="form-group">
      <label className="control-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface PointProps {
  readonly coordinates: readonly [longitude: Coordinate, latitude: Coordinate];
  readonly onChange: (value: unknown) => void;
}

function Point({ coordinates, onChange }: PointProps): ReactNode {
  const hint = useId();
  const write = (at: 0 | 1, text: string): void => {
    const next = coordinates.map((each, index) => (index === at ? (text === '' ? null : Number(text)) : each));
    onChange({ type: 'Point', coordinates: next });
  };
  return (
    <>
      {[words.longitude, words.latitude].map((label, at) => (
        <Labelled key={label} label={label}>
          {(id) => (
            <input
              id={id}
              type="number"
              step="any"
              min={at === 0 ? -180 : -90}
              max={at === 0 ? 180 : 90}
              value={coordinates[at as 0 | 1] ?? ''}
              aria-describedby={hint}
              onChange={({ target }) => {
                write(at as 0 | 1, target.value);
              }}
            />
          )}
        </Labelled>
      ))}
      <p id={hint} className="quiet">
        {coordinates.includes(null) && words.incomplete}
      </p>
    </>
  );
}

interface GeoJsonProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function GeoJson({ value, onChange }: GeoJsonProps): ReactNode {
  const hint = useId();
  const [text, setText] = useState('');
  // The user's formatting is preserved while the text still parses to the value.
  const shown = JSON.stringify(read(text)) === JSON.stringify(value) ? text : written(value);
  return (
    <>
      <Labelled label={words.geoJson}>
        {(id) => (
          <textarea
            id={id}
            rows={6}
            spellCheck={false}
            value={shown}
            aria-describedby={hint}
            onChange={({ target }) => {
              setText(target.value);
              onChange(read(target.value));
            }}
          />
        )}
      </Labelled>
      <p id={hint} className="quiet">
        {typeof value === 'string' && words.notGeoJson}
      </p>
    </>
  );
}

/** The raw text if it is not a JSON object, so that the server rejects it with a reason instead of losing it. */
function read(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** `undefined` for anything but a point, and for a point with an altitude. */
function pointOf(value: unknown): readonly [Coordinate, Coordinate] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, coordinates, ...more } = value as { type?: unknown; coordinates?: unknown };
  if (type !== 'Point' || !Array.isArray(coordinates) || Object.keys(more).length > 0) return undefined;
  const [longitude, latitude, ...others] = coordinates as unknown[];
  return isCoordinate(longitude) && isCoordinate(latitude) && others.length === 0 ? [longitude, latitude] : undefined;
}

const isCoordinate = (value: unknown): value is Coordinate => value === null || typeof value === 'number';

/** Errors inside the value; the form shows errors of the field itself. */
const messagesIn = (errors: ErrorSchema = {}, path = ''): string[] =>
  Object.entries(errors as Readonly<Record<string, ErrorSchema | undefined>>).flatMap(([member, below]) => {
    if (member === '__errors' || below === undefined) return [];
    const at = path === '' ? member : `${path}/${member}`;
    return [...(below.__errors ?? []).map((message) => `${at} ${message}`), ...messagesIn(below, at)];
  });
