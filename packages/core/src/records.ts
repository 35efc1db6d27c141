/** `@blockwork/core/records`: schemas and types of everything that is stored or crosses the wire. */
export * from './records/index.js';
