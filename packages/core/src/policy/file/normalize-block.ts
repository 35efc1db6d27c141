/** One block as policies write it, with every member that all blocks share present and of its type. */
import { isObject, uuid, type BlockSource } from '../../records/index.js';
import { flag, text, texts, type Complain } from './coerce.js';
import { normalizeEvents } from './normalize-event.js';
import { quote } from '../model/quote.js';

/** What old policies cannot set through a nested `options` object, because it is no option of a block. */
const structural = ['id', 'blockType', 'tag', 'permissions', 'defaultActive', 'children'];

/** The block without its children. `newId` gives the id of a block that has none, or none that can be used. */
export function normalizeBlock(
  written: Record<string, unknown>,
  blockType: string,
  complain: Complain,
  newId: () => string,
): BlockSource {
  const raw = withNestedOptions(written, complain);
  const block: BlockSource = {
    ...raw,
    id: id(raw['id'], complain, newId),
    blockType,
    tag: text(raw['tag'], '/tag', complain),
    permissions: texts(raw['permissions'], '/permissions', complain),
    defaultActive: flag(raw['defaultActive'], '/defaultActive', complain),
    uiMetaData: uiMetaData(raw['uiMetaData'], complain),
    events: normalizeEvents(raw['events'], complain),
    children: [],
    dependencies: texts(raw['dependencies'], '/dependencies', complain),
  };
  if (raw['onErrorAction'] !== undefined) block.onErrorAction = text(raw['onErrorAction'], '/onErrorAction', complain);
  if (raw['stopPropagation'] !== undefined)
    block.stopPropagation = flag(raw['stopPropagation'], '/stopPropagation', complain);
  return block;
}

/** `options` as an object is an old way to write a block's own members; as a list it is an option by that name. */
function withNestedOptions(written: Record<string, unknown>, complain: Complain): Record<string, unknown> {
  const { options, ...own } = written;
  if (!isObject(options)) return written;
  for (const member of structural) {
    if (member in options) complain(`/options/${member}`, `is no option of a block; left out`);
  }
  const nested = Object.entries(options).filter(([member]) => !structural.includes(member));
  return { ...own, ...Object.fromEntries(nested) };
}

function id(raw: unknown, complain: Complain, newId: () => string): string {
  if (typeof raw === 'string' && uuid.safeParse(raw).success) return raw;
  if (raw !== undefined && raw !== null && raw !== '')
    complain('/id', `is ${quote(raw)}, not a UUID; the block got a new one`);
  return newId();
}

function uiMetaData(raw: unknown, complain: Complain): Record<string, unknown> {
  if (isObject(raw)) return raw;
  if (raw !== undefined && raw !== null && raw !== '')
    complain('/uiMetaData', `is ${quote(raw)}, not an object; left out`);
  return {};
}
