/** The working copy that a batch of operations changes. Parts are copied when they are first changed. */
import { pointerOf, walkTree, type PolicyFileLimits } from '../../policy/index.js';
import type { Ids } from '../../ports/index.js';
import { cloneJson, type BlockSource } from '../../records/index.js';
import { BlockworkError } from '../../errors.js';
import type { DefinitionPart, PolicyDefinition } from './definition.js';

export interface EditContext {
  /** Named in errors. */
  readonly policyId: string;
  /** Gives ids to new blocks. */
  readonly ids: Ids;
  readonly limits: PolicyFileLimits;
}

export interface PlacedBlock {
  readonly block: BlockSource;
  /** `null` for the root. */
  readonly parent: BlockSource | null;
  readonly index: number;
}

export class EditDraft {
  readonly #parts: PolicyDefinition;
  readonly #own = new Set<DefinitionPart>();
  /** Position of the operation in its batch. */
  #at = 0;

  constructor(
    definition: PolicyDefinition,
    readonly context: EditContext,
  ) {
    this.#parts = { ...definition };
  }

  get definition(): PolicyDefinition {
    return this.#parts;
  }

  begin(at: number): void {
    this.#at = at;
  }

  /** The part, to be changed in place. */
  own<Part extends DefinitionPart>(part: Part): PolicyDefinition[Part] {
    if (!this.#own.has(part)) {
      this.#parts[part] = cloneJson(this.#parts[part]);
      this.#own.add(part);
    }
    return this.#parts[part];
  }

  replace<Part extends DefinitionPart>(part: Part, value: PolicyDefinition[Part]): void {
    this.#own.add(part);
    this.#parts[part] = value;
  }

  /** By its id, or its tag. Throws `EDIT_INVALID`. */
  block(reference: string, member = '/block'): PlacedBlock {
    const positions = walkTree(this.own('config'));
    const position =
      positions.find(({ block }) => block.id === reference) ?? positions.find(({ block }) => block.tag === reference);
    if (position === undefined) return this.refuse(member, `there is no block "${reference}"`);
    return { block: position.block, parent: position.parent?.block ?? null, index: position.index };
  }

  /** Throws `EDIT_INVALID` with the place in the operation. */
  refuse(member: string, reason: string): never {
    const path = `${pointerOf(['operations', this.#at])}${member}`;
    throw new BlockworkError('EDIT_INVALID', {
      facts: { policyId: this.context.policyId, reason: `${path}: ${reason.replace(/\.$/, '')}` },
      details: [{ path, message: reason }],
    });
  }
}
