/** Schemas of a policy: what a subject must look like, and what its fields are for. */
export { contextOf, namedSubject, typeOf } from './named-subject.js';
export { accountsIn, takesField } from './schema-fields.js';
export { demandValid, schemaOf, type UsableSchema } from './validate-subject.js';
