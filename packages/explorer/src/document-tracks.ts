/** Tracks the states that documents reach, and which of these they ever leave. */
import type { DocumentRecord, JsonObject } from '@blockwork/core';
import { valueAt, type BlockNode, type PolicyTree } from '@blockwork/core/block';
import type { Move } from './move.js';
import { isGrid } from './sites.js';

/** All documents of one type and status. */
export interface DocumentState {
  readonly type: string;
  readonly status: string;
  readonly example: DocumentRecord;
  /** The moves that first led to such a document. */
  readonly path: readonly Move[];
  documents: number;
  /** How many progressed: changed, were referred to, were minted for, or a user acted on them. */
  moved: number;
  isShown: boolean;
  isOffered: boolean;
  /** An action by a user on one was refused. */
  isRefused: boolean;
  /** Whether one was created from a user's data. */
  isEntered: boolean;
}

/** Types whose records are terminal. */
const ends: ReadonlySet<string> = new Set([
  'mint',
  'retirement',
  'user-role',
  'MULTI_SIGN',
  'POLICY',
  'STANDARD_REGISTRY',
]);

interface DeadState {
  readonly state: DocumentState;
  readonly reason: string;
  /** Whether it follows from the policy, and not only from what players met. */
  readonly certain: boolean;
}

export class DocumentTracks {
  readonly #states = new Map<string, DocumentState>();
  readonly #fedSources = new Set<string>();
  /** State key of each document of this walk, by document id. */
  #current = new Map<string, string>();
  #byMessage = new Map<string, string>();

  startWalk(): void {
    this.#current = new Map();
    this.#byMessage = new Map();
  }

  /** Records an added or changed document. `way`: the moves so far. */
  stored(document: DocumentRecord, path: readonly Move[], isEntered: boolean): void {
    const { id, messageId, relationships } = document;
    for (const message of relationships ?? []) this.moved(this.#byMessage.get(message));
    if (typeof messageId === 'string') this.#byMessage.set(messageId, id);
    if (document.dataType !== 'vc-documents' || ends.has(document.type ?? '')) return;
    const key = keyOf(document);
    const before = this.#current.get(id);
    if (before === key) return;
    this.moved(id);
    this.#current.set(id, key);
    const state = this.#states.get(key) ?? newState(document, [...path]);
    this.#states.set(key, state);
    state.documents += 1;
    state.isEntered ||= isEntered;
  }

  /** Records that the document progressed. */
  moved(id: string | undefined): void {
    const state = this.#stateOf(id);
    if (state !== undefined) state.moved += 1;
  }

  /** Records that a player sees these rows. */
  shown(rows: readonly JsonObject[]): void {
    for (const row of rows) {
      const source = row['__sourceTag__'];
      if (typeof source === 'string') this.#fedSources.add(source);
      const state = this.#stateOf(row['id']);
      if (state !== undefined) state.isShown = true;
    }
  }

  offered(row: JsonObject): void {
    const state = this.#stateOf(row['id']);
    if (state !== undefined) state.isOffered = true;
  }

  refused(row: JsonObject): void {
    const state = this.#stateOf(row['id']);
    if (state !== undefined) state.isRefused = true;
  }

  /** `key`: of `keyOf`. */
  hasState(key: string): boolean {
    return this.#states.has(key);
  }

  /** States that documents reached and never left, with the reason why no user can advance them. */
  deadEnds(tree: PolicyTree): DeadState[] {
    return [...this.#states.values()].flatMap((state) => {
      const end = state.moved > 0 ? null : this.#endOf(state, tree);
      return end === null ? [] : [{ state, ...end }];
    });
  }

  #endOf(state: DocumentState, tree: PolicyTree): Omit<DeadState, 'state'> | null {
    if (state.isOffered)
      return state.isRefused ? { reason: 'whoever acted on them was refused', certain: false } : null;
    const missed = actionSources(tree).filter((source) => !this.#fedSources.has(source.tag));
    for (const source of missed) {
      const difference = differenceFrom(source, state.example);
      if (difference !== null) {
        const grid = source.parent?.tag ?? '';
        const reason = `"${grid}", where such documents are acted on, never lists them: ${difference}`;
        return { reason, certain: true };
      }
    }
    if (state.isShown || !state.isEntered || isReported(state.example, tree)) return null;
    return { reason: 'nobody saw them, and nothing referred to them', certain: false };
  }

  #stateOf(id: unknown): DocumentState | undefined {
    const key = typeof id === 'string' ? this.#current.get(id) : undefined;
    return key === undefined ? undefined : this.#states.get(key);
  }
}

const newState = (document: DocumentRecord, path: readonly Move[]): DocumentState => ({
  type: document.type ?? document.schema ?? '-',
  status: statusOf(document),
  example: document,
  path,
  documents: 0,
  moved: 0,
  isShown: false,
  isOffered: false,
  isRefused: false,
  isEntered: false,
});

export const keyOf = (document: DocumentRecord): string =>
  JSON.stringify([document.type, document.schema, statusOf(document)]);

export function statusOf({ option }: DocumentRecord): string {
  const { status } = option;
  return status === undefined || status === null ? '-' : asText(status);
}

/** Sources of grids from whose rows a block opens. */
function actionSources({ blocks }: PolicyTree): BlockNode[] {
  const takers = new Set(['buttonBlock', 'interfaceActionBlock', 'requestVcDocumentBlock', 'multiSignBlock']);
  const acting = new Set(blocks.filter(({ blockType }) => takers.has(blockType)).map(({ tag }) => tag));
  return blocks
    .filter(isGrid)
    .filter((grid) => grid.children.some(({ tag }) => acting.has(tag)) || opensOne(grid, acting))
    .flatMap(({ children }) => children.filter(({ definition }) => definition?.kind === 'source'));
}

const opensOne = ({ uiMetaData: { fields } }: BlockNode, acting: ReadonlySet<string>): boolean =>
  Array.isArray(fields) && fields.some((field) => acting.has(String(valueAt(field, 'bindBlock'))));

/** Whether a report finds such documents. What it compares with a variable may be met by any. */
function isReported(document: DocumentRecord, { blocks }: PolicyTree): boolean {
  return blocks.some(({ blockType, options }) => {
    if (blockType !== 'reportItemBlock') return false;
    const { filters = [] } = (options ?? {}) as ReportOptions;
    return filters.every(({ type, typeValue, field, value }) => {
      if (type !== 'equal' || typeValue === 'variable') return true;
      return asText(valueAt(document, field)) === asText(value);
    });
  });
}

interface ReportOptions {
  readonly filters?: readonly {
    readonly type: string;
    readonly typeValue?: string;
    readonly field: string;
    readonly value?: unknown;
  }[];
}

interface SourceOptions {
  readonly schema?: string;
  readonly dataType?: string;
  readonly filters?: readonly { readonly type: string; readonly field: string; readonly value?: unknown }[];
}

/** How the document's state differs from the source's filter, if that is the only difference; otherwise `null`. */
function differenceFrom({ options }: BlockNode, document: DocumentRecord): string | null {
  const { schema = '', dataType, filters = [] } = (options ?? {}) as SourceOptions;
  if (dataType !== document.dataType || (schema !== '' && schema !== document.schema)) return null;
  const named = filters.filter(({ type }) => type === 'equal');
  if (schema === '' && !named.some(({ field }) => field === 'type' || field === 'schema')) return null;
  const failed = named.filter(({ field, value }) => asText(valueAt(document, field)) !== asText(value));
  if (failed.length === 0 || failed.some(({ field }) => !field.startsWith('option.'))) return null;
  return failed
    .map(
      ({ field, value }) =>
        `it asks for ${field} "${asText(value)}", and theirs is "${asText(valueAt(document, field))}"`,
    )
    .join('; ');
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
