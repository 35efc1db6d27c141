/** The journal entries of a log on a server, in files of 256. */
import { BlockworkApiError } from '@blockwork/client';
import type { ServerLog } from './server-log.js';

type Entry = Awaited<ReturnType<ServerLog['client']['routes']['readJournalEntry']>>['data'];

const TILE_WIDTH = 256;

export class JournalFiles {
  /** Those that are not archived, by id. */
  #present: Promise<Map<string, Entry>> | undefined;

  private constructor(
    private readonly log: ServerLog,
    private readonly size: number,
    /** Reads a tile by its path below `tile/`. */
    private readonly tile: (path: string) => Promise<Uint8Array | undefined>,
  ) {}

  /** `null` if the caller may not read the journal. */
  static async open(
    log: ServerLog,
    size: number,
    tile: (path: string) => Promise<Uint8Array | undefined>,
  ): Promise<JournalFiles | null> {
    const { client, policyId } = log;
    try {
      await client.routes.readJournal({ policyId, query: { pageSize: 1 } });
    } catch (error) {
      if (isRefusal(error, ['PERMISSION_DENIED', 'POLICY_NOT_OWNED'])) return null;
      throw error;
    }
    return new JournalFiles(log, size, tile);
  }

  /** The entries whose leaves are in a tile, one on each line. `path`: `journal/000.jsonl`. */
  async read(path: string): Promise<Uint8Array | undefined> {
    const [, tile = ''] = /^journal\/((?:x\d{3}\/)*\d{3})\.jsonl$/.exec(path) ?? [];
    const width = Math.min(TILE_WIDTH, this.size - Number(tile.replaceAll(/[x/]/g, '')) * TILE_WIDTH);
    if (tile === '' || width <= 0) return undefined;
    const leaves = await this.tile(`entries/${tile}${width === TILE_WIDTH ? '' : `.p/${String(width)}`}`);
    if (leaves === undefined) return undefined;
    const entries: Entry[] = [];
    for (const id of idsIn(leaves)) {
      const entry = (await this.#entries()).get(id) ?? (await this.#archived(id));
      if (entry !== undefined) entries.push(entry);
    }
    return Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  #entries(): Promise<Map<string, Entry>> {
    this.#present ??= this.#readAll();
    return this.#present;
  }

  async #readAll(): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    const { client, policyId } = this.log;
    for await (const entry of client.policy(policyId).journal()) entries.set(entry.id, entry);
    return entries;
  }

  async #archived(entryId: string): Promise<Entry | undefined> {
    const { client, policyId } = this.log;
    try {
      return (await client.routes.readJournalEntry({ policyId, entryId })).data;
    } catch (error) {
      if (isRefusal(error, ['JOURNAL_ENTRY_UNKNOWN'])) return undefined;
      throw error;
    }
  }
}

/** Of the leaves in a bundle, without the empty ones. */
function idsIn(bundle: Uint8Array): string[] {
  const ids: string[] = [];
  const bytes = Buffer.from(bundle);
  for (let at = 0; at + 2 <= bytes.length;) {
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > at + 2) ids.push((JSON.parse(bytes.toString('utf8', at + 2, end)) as { id: string }).id);
    at = end;
  }
  return ids;
}

const isRefusal = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof BlockworkApiError && codes.includes(error.error);
