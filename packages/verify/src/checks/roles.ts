/** Roles: everyone who signed had a role at that time, and one that may do so. */
import type { Role } from '../contents/bundle.js';
import { momentOf } from '../crypto/proof.js';
import { isObject, type JsonObject, memberOf } from '../json.js';
import { blocksOf, issuesForOthers, permissionsOf, permittedFor, takesFromOutside } from './blocks.js';
import { type Context, credentialsOf, dateOf, nameOf, signerOf, subjectOf, subjectsOf, textAt } from './context.js';

const OWNER = 'OWNER';

interface HeldRole {
  readonly role: string;
  /** In milliseconds since 1970: when its credential was issued, or else since when it is said to be held. */
  readonly from: number;
}

export function checkRoles(context: Context): void {
  const { bundle, findings } = context;
  const blocks = blocksOf(bundle.policy.definition);
  const signers = signersOf(context);
  for (const role of bundle.roles) {
    findings.check('roles', signers.has(role.did), `${role.did}, who has the role ${role.role}, signed nothing`);
    checkProven(context, role);
  }
  for (const did of context.identities.keys()) {
    findings.check('keys', signers.has(did), `${did}, whose keys are in the bundle, signed nothing`);
  }
  if (bundle.roles.length > 0) {
    findings.leave('roles', 'that nobody had lost a role meanwhile: removals are messages of the type revoke');
  }
  for (const stored of bundle.documents) {
    for (const credential of credentialsOf(stored.document)) {
      const types = new Set(subjectsOf(credential).map((subject) => textAt(subject, 'type')));
      for (const type of types.size === 0 ? [''] : types) {
        if (type === 'UserRole') continue;
        checkIssuer(context, blocks, { name: nameOf(stored), credential, iri: `#${type}` });
      }
    }
  }
}

/** Also the members for whom devices signed, and the policy's owner, who seals the bundle. */
function signersOf({ bundle, identities }: Context): Set<string> {
  const own = bundle.documents.flatMap(({ document }) => [
    signerOf(document),
    ...credentialsOf(document).map(signerOf),
  ]);
  const members = own.flatMap((did) => identities.get(did)?.keys.map(({ member }) => member) ?? []);
  return new Set([bundle.policy.owner, ...own, ...members]);
}

/** That the credential of a role says the same as the list of roles. */
function checkProven(context: Context, { did, role, group, since, messageId }: Role): void {
  const { bundle, findings, byMessage } = context;
  const start = momentOf(since);
  if (!findings.check('roles', start !== undefined, `the role of ${did} has no date`)) return;
  const credential = messageId === undefined ? undefined : byMessage.get(messageId)?.document;
  if (credential === undefined) {
    findings.check('roles', messageId === undefined, `the credential of the role of ${did} is not in the bundle`);
    findings.leave('roles', `that ${did} had the role ${role}: no credential proves it`);
    return;
  }
  const subject = subjectOf(credential) ?? {};
  const isSame = subject.type === 'UserRole' && subject.id === did && subject.role === role;
  findings.check('roles', isSame, `the credential of the role of ${did} says another role than "${role}"`);
  const issuer = memberOf(credential, 'issuer');
  if (isObject(issuer))
    findings.check('roles', issuer.group === group, `the credential of the role of ${did} is of another group`);
  findings.check('roles', since === dateOf(credential), `the credential of the role of ${did} is of another date`);
  const giver = signerOf(credential);
  if (giver !== bundle.policy.owner) {
    findings.leave('roles', `that ${giver} could give ${did} the role ${role}, as the owner of its group`);
  }
}

interface Issued {
  readonly name: string;
  readonly credential: JsonObject;
  readonly iri: string;
}

function checkIssuer(context: Context, blocks: readonly JsonObject[], { name, credential, iri }: Issued): void {
  const { bundle, findings } = context;
  const signer = signerOf(credential);
  const date = dateOf(credential);
  const roles = rolesBy(context, signer, lastMomentOf(date));
  const checkRoles = (): void => {
    if (signer === bundle.policy.owner || momentOf(date) !== undefined) findings.check('roles', true, '');
    else findings.leave('roles', `that ${signer} had a role when ${name} was issued: it has no date`);
  };
  const permitted = permittedFor(blocks, iri);
  if (permitted === undefined) {
    if (signer === bundle.policy.owner) {
      checkRoles();
      return;
    }
    const other = otherOrigin(blocks, iri);
    if (other !== undefined && roles.length === 0) {
      findings.leave('roles', `${signer}, who issued ${name}, has no role: ${other}`);
      return;
    }
    if (roles.length > 0) checkRoles();
    else findings.fail('roles', `${signer}, who issued ${name}, had no role in the policy then`);
    findings.leave('roles', `which role may issue ${name}: no block of the policy names its schema`);
    return;
  }
  const isPermitted =
    roles.some((role) => permitted.has(role)) ||
    (permitted.has('ANY_ROLE') && roles.length > 0) ||
    (permitted.has('NO_ROLE') && roles.every((role) => role === OWNER));
  // What the owner's blocks make of documents, such as results of calculations, is of the same schemas.
  const isMade = signer === bundle.policy.owner;
  const as = roles.length === 0 ? 'no role' : roles.join(', ');
  if (isPermitted || isMade || isSignedCopy(context, blocks, { credential, roles, permitted })) {
    checkRoles();
    return;
  }
  const message = `${signer}, who issued ${name}, had ${as} then; the policy asks for ${[...permitted].join(' or ')}`;
  const other = otherOrigin(blocks, iri);
  if (other === undefined) findings.fail('roles', message);
  else findings.leave('roles', `${message}, or ${other}`);
}

/** How a document may have come into the policy without a role of its signer. */
function otherOrigin(blocks: readonly JsonObject[], iri: string): string | undefined {
  const issuing = blocks.find(issuesForOthers);
  if (issuing !== undefined) return `a block like "${textAt(issuing, 'tag')}" may have issued it`;
  const taking = blocks.find((block) => takesFromOutside(block, iri));
  return taking && `it was signed elsewhere and handed in at "${textAt(taking, 'tag')}"`;
}

interface Copy {
  readonly credential: JsonObject;
  readonly roles: readonly string[];
  /** Who may issue the original. */
  readonly permitted: ReadonlySet<string>;
}

/** Whoever signs together with others signs a copy of a document, word for word, of somebody who may issue it. */
function isSignedCopy(
  context: Context,
  blocks: readonly JsonObject[],
  { credential, roles, permitted }: Copy,
): boolean {
  const signing = blocks.filter((block) => block.blockType === 'multiSignBlock').flatMap(permissionsOf);
  if (
    subjectOf(credential) === undefined ||
    !roles.some((role) => signing.includes(role) || signing.includes('ANY_ROLE'))
  )
    return false;
  const words = context.wordsOf(credential);
  return context.bundle.documents
    .flatMap(({ document }) => credentialsOf(document))
    .some((other) => {
      if (context.wordsOf(other) !== words) return false;
      return rolesBy(context, signerOf(other), lastMomentOf(dateOf(other))).some((role) => permitted.has(role));
    });
}

/** The roles of an identity, or of the member behind a device, at the moment; of what has no date, only what lasts. */
export const rolesAt = (context: Context, did: string, date: string): string[] =>
  rolesBy(context, did, momentOf(date) ?? -Infinity);

/** Without a date, a moment at which every role is held that somebody ever got: whoever has none even then had none. */
const lastMomentOf = (date: string): number => momentOf(date) ?? Number.MAX_VALUE;

function rolesBy(context: Context, did: string, moment: number): string[] {
  const { bundle, identities } = context;
  const people = [did, ...(identities.get(did)?.keys.map(({ member }) => member) ?? [])];
  const roles = bundle.roles.filter((role) => people.includes(role.did)).map((role) => heldRole(context, role));
  const own = roles.filter(({ from }) => from <= moment).map(({ role }) => role);
  return [...new Set([...(people.includes(bundle.policy.owner) ? [OWNER] : []), ...own])];
}

function heldRole({ byMessage }: Context, { role, since, messageId }: Role): HeldRole {
  const credential = messageId === undefined ? undefined : byMessage.get(messageId)?.document;
  const date = credential === undefined ? since : dateOf(credential);
  return { role, from: momentOf(date) ?? Infinity };
}
