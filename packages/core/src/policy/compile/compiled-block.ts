/** A block of a compiled policy. It reads from its source instead of copying, so that idle policies stay small. */
import type { BlockSource, JsonObject } from '../../records/index.js';
import { noAction } from '../model/error-action.js';
import { pathOf } from '../model/tree-walk.js';
import type { BlockDefinition, BlockNode, ErrorAction, EventLink } from '../model/policy-model.js';

const none: readonly never[] = Object.freeze([]);
const noLinks: ReadonlyMap<string, readonly EventLink[]> = new Map();

/** Filled and then frozen by the compiler; everything else sees a `BlockNode`. */
export class CompiledBlock implements BlockNode {
  /** As written; inside a module, with the values of its variables. */
  source: BlockSource;
  readonly parent: CompiledBlock | null;
  readonly index: number;
  readonly definition: BlockDefinition | null;
  children: readonly CompiledBlock[] = none;
  dependencies: readonly BlockNode[] = none;
  options: unknown = null;
  optionsError = '';
  links = noLinks;
  onError: ErrorAction = noAction;
  /** Its tag is that of an earlier block, so that nothing can refer to it. */
  isRepeated = false;

  constructor(source: BlockSource, parent: CompiledBlock | null, index: number, definition: BlockDefinition | null) {
    this.source = source;
    this.parent = parent;
    this.index = index;
    this.definition = definition;
  }

  get uuid(): string {
    return this.source.id;
  }
  get named(): boolean {
    return this.source.tag !== '' && !this.isRepeated;
  }
  get tag(): string {
    return this.named ? this.source.tag : this.source.id;
  }
  get blockType(): string {
    return this.source.blockType;
  }
  get permissions(): readonly string[] {
    return this.source.permissions;
  }
  /** The root is always active. */
  get defaultActive(): boolean {
    return this.parent === null || this.source.defaultActive;
  }
  get uiMetaData(): JsonObject {
    return this.source.uiMetaData as JsonObject;
  }
  get path(): string {
    return pathOf(this);
  }
}
