/** Normalizes one block: all common members are present and have their type. */
import { closestTo, hintAt } from '../../../options/index.js';
import { type BlockSource, type EventSource, isObject, uuid } from '../../../records/index.js';
import { pointerStep } from '../../model/pointer.js';
import { quote } from '../../model/quote.js';
import { type Report, toBoolean, toList, toText, toTexts } from './coerce.js';

/** Members that a nested `options` object cannot set, because they are not options. */
const structural = ['id', 'blockType', 'tag', 'permissions', 'defaultActive', 'children'];

/** The block without its children. `newId` is called if the block has no usable id. */
export function normalizeBlock(
  written: Record<string, unknown>,
  blockType: string,
  report: Report,
  newId: () => string,
): BlockSource {
  const raw = withNestedOptions(written, report);
  const block: BlockSource = {
    ...raw,
    id: id(raw['id'], report, newId),
    blockType,
    tag: toText(raw['tag'], '/tag', report),
    permissions: toTexts(raw['permissions'], '/permissions', report),
    defaultActive: toBoolean(raw['defaultActive'], '/defaultActive', report),
    uiMetaData: uiMetaData(raw['uiMetaData'], report),
    events: normalizeEvents(raw['events'], '/events', report),
    children: [],
    dependencies: toTexts(raw['dependencies'], '/dependencies', report),
  };
  if (raw['innerEvents'] !== undefined) block.innerEvents = normalizeEvents(raw['innerEvents'], '/innerEvents', report);
  if (raw['onErrorAction'] !== undefined) block.onErrorAction = toText(raw['onErrorAction'], '/onErrorAction', report);
  if (raw['stopPropagation'] !== undefined)
    block.stopPropagation = toBoolean(raw['stopPropagation'], '/stopPropagation', report);
  return block;
}

/** In old policies an object called `options` holds members of the block. A list is an ordinary option of that name. */
function withNestedOptions(written: Record<string, unknown>, report: Report): Record<string, unknown> {
  const { options, ...own } = written;
  if (!isObject(options)) return written;
  for (const member of structural) {
    if (member in options) report(`/options/${member}`, `is no option of a block; left out`);
  }
  const nested = Object.entries(options).filter(([member]) => !structural.includes(member));
  return { ...own, ...Object.fromEntries(nested) };
}

function id(raw: unknown, report: Report, newId: () => string): string {
  if (typeof raw === 'string' && uuid.safeParse(raw).success) return raw;
  if (raw !== undefined && raw !== null && raw !== '')
    report('/id', `is ${quote(raw)}, not a UUID; the block got a new one`);
  return newId();
}

function uiMetaData(raw: unknown, report: Report): Record<string, unknown> {
  if (isObject(raw)) return raw;
  if (raw !== undefined && raw !== null && raw !== '')
    report('/uiMetaData', `is ${quote(raw)}, not an object; left out`);
  return {};
}

/** Unknown members are kept. */
function normalizeEvents(raw: unknown, name: '/events' | '/innerEvents', report: Report): EventSource[] {
  const events: EventSource[] = [];
  for (const [index, event] of toList(raw, name, report).entries()) {
    const member = `${name}${pointerStep(index)}`;
    if (isObject(event)) events.push(normalizeEvent(event, member, report));
    else report(member, `is ${quote(event)}, not a link; left out`);
  }
  return events;
}

const linkMembers = ['source', 'target', 'output', 'input', 'actor', 'disabled'];

function normalizeEvent(raw: Record<string, unknown>, member: string, report: Report): EventSource {
  for (const key of Object.keys(raw)) {
    const meant = linkMembers.includes(key) ? undefined : closestTo(key, linkMembers, 2);
    if (meant === undefined) continue;
    report(member + pointerStep(key), `is no member of a link, so it is ignored${hintAt(meant)}`, meant);
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
