/** Schemas of a policy: validation of subjects, and the meaning of their fields. */
export { contextOf, namedSubject, typeOf } from './named-subject.js';
export { accountsIn, takesField } from './schema-fields.js';
export { demandValid, schemaOf, type UsableSchema } from './validate-subject.js';
