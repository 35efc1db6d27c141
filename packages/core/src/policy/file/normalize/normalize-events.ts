/** Normalizes the links of a block: all members are present and have their type. */
import { isObject, type EventSource } from '../../../records/index.js';
import { closestTo } from '../../../options/index.js';
import { toBoolean, toList, toText, type Report } from './coerce.js';
import { pointerStep } from '../../model/pointer.js';
import { quote } from '../../model/quote.js';

/** Unknown members are kept. */
export function normalizeEvents(raw: unknown, name: '/events' | '/innerEvents', report: Report): EventSource[] {
  const events: EventSource[] = [];
  for (const [index, event] of toList(raw, name, report).entries()) {
    const member = `${name}${pointerStep(index)}`;
    if (isObject(event)) events.push(normalizeEvent(event, member, report));
    else report(member, `is ${quote(event)}, not a link; left out`);
  }
  return events;
}

const known = ['source', 'target', 'output', 'input', 'actor', 'disabled'];

function normalizeEvent(raw: Record<string, unknown>, member: string, report: Report): EventSource {
  for (const key of Object.keys(raw)) {
    const meant = known.includes(key) ? undefined : closestTo(key, known, 2);
    if (meant === undefined) continue;
    report(member + pointerStep(key), `is no member of a link, so it is ignored (did you mean "${meant}"?)`);
  }
  return {
    ...raw,
    source: toText(raw['source'], `${member}/source`, report),
    target: toText(raw['target'], `${member}/target`, report),
    output: toText(raw['output'], `${member}/output`, report),
    input: toText(raw['input'], `${member}/input`, report),
    actor: actor(raw['actor'], `${member}/actor`, report),
    disabled: toBoolean(raw['disabled'], `${member}/disabled`, report),
  };
}

function actor(raw: unknown, member: string, report: Report): EventSource['actor'] {
  if (raw === undefined || raw === null) return null;
  const name = typeof raw === 'string' ? raw.toLowerCase() : raw;
  if (name === '' || name === 'owner' || name === 'issuer') return name;
  report(member, `is ${quote(raw)}, which is none of "", "owner" and "issuer"; read as "", the user who began`);
  return '';
}
