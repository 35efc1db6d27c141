/** A link as policies write it, with every member present and of its type. */
import { isObject, type EventSource } from '../../records/index.js';
import { flag, items, text, type Complain } from './coerce.js';
import { pointerStep } from '../model/pointer.js';
import { quote } from '../model/quote.js';

/** Members that a link does not have are kept. */
export function normalizeEvents(raw: unknown, complain: Complain): EventSource[] {
  const events: EventSource[] = [];
  for (const [index, event] of items(raw, '/events', complain).entries()) {
    const member = `/events${pointerStep(index)}`;
    if (isObject(event)) events.push(normalizeEvent(event, member, complain));
    else complain(member, `is ${quote(event)}, not a link; left out`);
  }
  return events;
}

const normalizeEvent = (raw: Record<string, unknown>, member: string, complain: Complain): EventSource => ({
  ...raw,
  source: text(raw['source'], `${member}/source`, complain),
  target: text(raw['target'], `${member}/target`, complain),
  output: text(raw['output'], `${member}/output`, complain),
  input: text(raw['input'], `${member}/input`, complain),
  actor: actor(raw['actor'], `${member}/actor`, complain),
  disabled: flag(raw['disabled'], `${member}/disabled`, complain),
});

function actor(raw: unknown, member: string, complain: Complain): EventSource['actor'] {
  if (raw === undefined || raw === null) return null;
  const name = typeof raw === 'string' ? raw.toLowerCase() : raw;
  if (name === '' || name === 'owner' || name === 'issuer') return name;
  complain(member, `is ${quote(raw)}; read as "", the user who began`);
  return '';
}
