/** Schemas: each credential says what its schema asks for. */
import type { Schema } from '../contents/bundle.js';
import { isObject, type JsonObject, memberOf } from '../json.js';
import { Patterns } from '../schema/patterns.js';
import { SchemaUnusable } from '../schema/schema-unusable.js';
import { violations } from '../schema/validate.js';
import { type Context, credentialsOf, isPresentation, nameOf, subjectsOf, textAt } from './context.js';

/** Written by the server into every subject. */
const SERVER_MEMBERS = ['type', '@context', 'id', 'policyId', 'ref'];

/** Subjects that the engine makes itself, which are of no schema of the policy. */
const OWN_TYPES = ['MintToken', 'WipeToken', 'UserRole', 'TokenDataSource', 'ActivityImpact', 'KeyRegistration'];

export function checkSchemas(context: Context): void {
  const { bundle, findings } = context;
  const schemas = new Map(bundle.schemas.map((schema) => [schema.id, schema]));
  findings.check('schemas', schemas.size === bundle.schemas.length, 'a schema is listed twice');
  const used = new Set<string>();
  const patterns = new Patterns();
  for (const stored of bundle.documents) {
    const name = nameOf(stored);
    for (const credential of credentialsOf(stored.document)) {
      const subjects = subjectsOf(credential);
      findings.check('schemas', subjects.length > 0, `${name} is about nothing`);
      for (const [at, subject] of subjects.entries()) {
        const type = textAt(subject, 'type');
        used.add(`#${type}`);
        if (at === 0 && !isPresentation(stored.document) && stored.schema !== undefined) {
          findings.check('schemas', stored.schema === `#${type}`, `${name} is of another schema than it says`);
        }
        checkSubject(context, schemas.get(`#${type}`), { name, type, subject, patterns });
        const policyId = memberOf(subject, 'policyId');
        if (policyId !== undefined)
          findings.check('policy', policyId === bundle.policy.id, `${name} is of another policy`);
      }
    }
  }
  for (const { id } of bundle.schemas) findings.check('schemas', used.has(id), `nothing is of the schema ${id}`);
}

interface Subject {
  readonly name: string;
  readonly type: string;
  readonly subject: JsonObject;
  readonly patterns: Patterns;
}

function checkSubject(
  { findings }: Context,
  schema: Schema | undefined,
  { name, type, subject, patterns }: Subject,
): void {
  if (schema === undefined) {
    if (!OWN_TYPES.includes(type)) findings.leave('schemas', `${name}: the bundle has no schema ${type || '(none)'}`);
    return;
  }
  const { document, context } = schema;
  if (document === null) {
    findings.leave('schemas', `${name}: its schema cannot be read`);
    return;
  }
  const contexts = [memberOf(subject, '@context')].flat();
  if (context !== '')
    findings.check('schemas', contexts.includes(context), `${name} has another context than its schema`);
  const fields = Object.entries(subject).filter(
    ([member]) => !SERVER_MEMBERS.includes(member) || takes(document, member),
  );
  try {
    const broken = violations(document, Object.fromEntries(fields), patterns);
    findings.check('schemas', broken.length === 0, `${name} does not fit its schema: ${broken.slice(0, 5).join('; ')}`);
  } catch (error) {
    if (!(error instanceof SchemaUnusable)) throw error;
    findings.leave('schemas', `${name}: its schema cannot be used, ${error.message}`);
  }
}

function takes({ properties }: JsonObject, name: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, name);
}
