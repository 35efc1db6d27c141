/** Schemas of a policy: validation of subjects, and the meaning of their fields. */
export { contextDocument, formSchema } from './form-schema.js';
export { contextOf, namedSubject, typeOf } from './named-subject.js';
export { definitionsIn, resolved } from './schema-fields.js';
export { accountsIn, commentOf, propertiesOf, takesField } from './schema-fields.js';
export { demandValid, schemaOf, type UsableSchema } from './validate-subject.js';
