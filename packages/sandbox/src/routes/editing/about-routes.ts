/** The block types of the engine, for the palette of the reference's editor. */
import type { BlockTypeSummary } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { ok, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

export const aboutRoutes = ({ engine }: RouteDeps): SandboxRoute[] => [
  {
    method: 'GET',
    path: '/policies/blocks/about',
    handle: async ({ person }) => {
      const types = await engine.editing.blockTypes(callerOf(await person()));
      return ok(Object.fromEntries(types.map((type) => [type.type, about(type)])));
    },
  },
];

const about = ({
  title,
  description,
  kind,
  children,
  readable,
  writable,
  inputs,
  outputs,
  options,
}: BlockTypeSummary) => ({
  label: title,
  title: description,
  post: writable,
  get: readable,
  children: children === 'any' ? 'Any' : children === 'none' ? 'None' : 'Special',
  control: controls[kind] ?? 'Special',
  input: inputs,
  output: outputs,
  defaultEvent: outputs.includes('RunEvent'),
  properties: Object.entries(isObject(options['properties']) ? options['properties'] : {}).map(property),
});

/** Where a block is at work; the palette groups by it. */
const controls: Readonly<Record<string, string>> = { container: 'UI', interface: 'UI', server: 'Server' };

/** One input of the editor for an option. */
function property([name, schema]: [string, unknown]): object {
  const { title = name, description = '', type, enum: values, default: byDefault } = isObject(schema) ? schema : {};
  const items = Array.isArray(values)
    ? values.map((value) => ({ label: String(value), value: value as unknown }))
    : null;
  const kind = items !== null ? 'Select' : (inputs[String(type)] ?? 'Input');
  return { name, label: title, title: description, type: kind, ...(items && { items }), default: byDefault };
}

const inputs: Readonly<Record<string, string>> = { boolean: 'Checkbox', array: 'Array', object: 'Group' };
