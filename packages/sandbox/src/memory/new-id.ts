/** Ids in the form of the reference's database. */
import type { Ids } from '@blockwork/core';

/** 24 hexadecimal characters: its web client accepts word characters only. */
export const newId = (ids: Ids): string => ids.uuid().replaceAll('-', '').slice(-24);

/** The id of a ledger entity: `0.0.` and a number. */
export const newEntityId = (ids: Ids): string => `0.0.${String(Number.parseInt(ids.uuid().slice(-12), 16))}`;
