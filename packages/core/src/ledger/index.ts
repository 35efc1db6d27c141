/** The rules of the ledger as pure functions: which operations on tokens and accounts are allowed, and their results. */
export { amountOf, unitsOf } from './amounts.js';
export { entityId, entityNumber } from './entity-id.js';
export { newLot as givenLot, takeFrom, takeSerials, type TakenSerials } from './lots.js';
export { laterMessageId, messageIdAt, momentOfMessage, nextMessageId } from './message-id.js';
export { minted, type Movement, transferred, wiped } from './movements.js';
export { changedRelation, noRelation, type RelationChange } from './relations.js';
export { newToken, tokenOfDefinition } from './token.js';
export { refuse } from './refuse.js';
export { ROOT_TOPIC, resolveTopic } from './resolve-topic.js';
