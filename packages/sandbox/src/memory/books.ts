/** The books of what clients make, one for each kind. */
import type { JsonObject } from '@blockwork/core';
import type { z } from 'zod';
import type { SandboxLimits } from '../limits.js';
import type { KeptState } from './kept-state.js';
import { OwnedBook, type Owned } from './owned-book.js';
import {
  keptFile,
  keptPart,
  keptRelation,
  keptSchema,
  keptSetting,
  keptTag,
  keptTheme,
  keptToken,
  type KeptFile,
  type MadeSchema,
  type MadeToken,
  type Part,
  type Relation,
  type Setting,
  type Tag,
  type Theme,
} from './things.js';

export interface Books {
  readonly tags: OwnedBook<Tag>;
  /** Those that belong to no policy. */
  readonly schemas: OwnedBook<MadeSchema>;
  readonly tagSchemas: OwnedBook<MadeSchema>;
  readonly systemSchemas: OwnedBook<MadeSchema>;
  readonly modules: OwnedBook<Part>;
  readonly tools: OwnedBook<Part>;
  readonly themes: OwnedBook<Theme>;
  readonly tokens: OwnedBook<MadeToken>;
  readonly relations: OwnedBook<Relation>;
  readonly files: OwnedBook<KeptFile>;
  readonly settings: OwnedBook<Setting>;
}

/** Throws `OPTION_INVALID` for damaged state. */
export function openBooks(limits: SandboxLimits, state: KeptState): Books {
  const open = <Item extends Owned & JsonObject>(
    section: string,
    what: string,
    item: z.ZodType<Item>,
  ): OwnedBook<Item> => new OwnedBook({ section, what, item, state, count: limits.things, bytes: limits.thingBytes });
  return {
    tags: new OwnedBook({
      ...{ section: 'tags', what: 'tags', item: keptTag, state, count: limits.tags, bytes: limits.tagBytes },
    }),
    schemas: new OwnedBook({
      ...{ section: 'schemas', what: 'schemas', item: keptSchema, state },
      ...{ count: limits.schemas, bytes: limits.schemaBytes },
    }),
    tagSchemas: open('tagSchemas', 'schemas of tags', keptSchema),
    systemSchemas: open('systemSchemas', 'system schemas', keptSchema),
    modules: open('modules', 'modules', keptPart),
    tools: open('tools', 'tools', keptPart),
    themes: open('themes', 'themes', keptTheme),
    tokens: open('tokens', 'tokens', keptToken),
    relations: open('relations', 'relations of accounts with tokens', keptRelation),
    files: new OwnedBook({
      ...{ section: 'files', what: 'files', item: keptFile, state, count: limits.files, bytes: limits.fileBytes },
    }),
    settings: open('settings', 'settings', keptSetting),
  };
}
