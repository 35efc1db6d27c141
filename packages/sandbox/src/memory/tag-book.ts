/** Tags that clients put on policies and other things. */
import { Shelf } from './shelf.js';

export interface Tag {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly entity: string;
  readonly localTarget: string;
  readonly date: string;
  readonly document: unknown;
}

export class TagBook {
  readonly #tags: Shelf<Tag>;

  constructor({ tags: count, tagBytes: bytes }: { readonly tags: number; readonly tagBytes: number }) {
    this.#tags = new Shelf({ what: 'tags', count, bytes, whenFull: 'refuse' });
  }

  /** Throws `SANDBOX_FULL`. */
  add(tag: Tag): void {
    this.#tags.put(tag.uuid, tag);
  }

  /** Oldest first. */
  of(entity: string, target: string): Tag[] {
    return this.#tags.values().filter((tag) => tag.entity === entity && tag.localTarget === target);
  }

  /** Returns whether it existed and belonged to the owner. */
  remove(uuid: string, owner: string): boolean {
    return this.#tags.get(uuid)?.owner === owner && this.#tags.delete(uuid);
  }
}

/** The tag as sent to clients. */
export const publicTag = (tag: Tag): object => ({
  ...tag,
  target: null,
  status: 'Draft',
  operation: 'Create',
});
