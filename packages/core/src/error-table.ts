/** Every error of the engine, in one table: its code, its HTTP status, its message, and whether trying again can help. */
import { journalErrors } from './journal-errors.js';

export interface ErrorKind {
  readonly status: number;
  /** `{name}` is filled from the error's facts. */
  readonly message: string;
  readonly retryable?: true;
}

export const errorTable = {
  CALLER_INVALID: { status: 401, message: 'The caller "{did}" is not a DID, such as "did:web:example.org:users:ana".' },
  PERMISSION_DENIED: { status: 403, message: 'The caller lacks the permission {permission}.' },
  POLICY_UNKNOWN: { status: 404, message: 'There is no policy "{policyId}".' },
  POLICY_EXISTS: { status: 409, message: 'A policy with the id "{policyId}" already exists.' },
  POLICY_NOT_READABLE: {
    status: 409,
    message: 'Policy "{policyId}" has the status {status}; its blocks cannot be read.',
  },
  POLICY_NOT_RUNNING: {
    status: 409,
    message: 'Policy "{policyId}" has the status {status}; its blocks accept no data.',
  },
  POLICY_NOT_OWNED: {
    status: 403,
    message: 'Policy "{policyId}" belongs to another user; only its owner may do this.',
  },
  POLICY_STATUS: {
    status: 409,
    message: 'Policy "{policyId}" has the status {status}; "{action}" is possible from {possible} only.',
  },
  VIRTUAL_USER_UNKNOWN: { status: 404, message: 'No user in the trials of policy "{policyId}" has the DID "{did}".' },
  VIRTUAL_USER_EXISTS: {
    status: 409,
    message: 'A user in the trials of policy "{policyId}" is already called "{name}".',
  },
  VIRTUAL_USERS_TOO_MANY: {
    status: 422,
    message: 'The trials of policy "{policyId}" have {count} users, which is the limit for one policy.',
  },
  SAVEPOINT_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no savepoint "{id}".' },
  SAVEPOINTS_TOO_MANY: {
    status: 422,
    message: 'Policy "{policyId}" has {count} savepoints, which is the limit for one policy. Delete one first.',
  },
  SAVEPOINT_TOO_LARGE: {
    status: 422,
    message: 'The trial of policy "{policyId}" has grown beyond {limit} bytes, the limit for a savepoint. Restart it.',
  },
  RECORDING_UNKNOWN: {
    status: 404,
    message: 'Nothing was recorded in the trial of policy "{policyId}". Start a recording, and send something.',
  },
  VERSION_INVALID: { status: 422, message: 'Policy "{policyId}" cannot be published: {reason}.' },
  DATE_INVALID: {
    status: 422,
    message:
      'Policy "{policyId}" cannot be discontinued at that time: the date must be an ISO 8601 timestamp in the future.',
  },
  EDIT_INVALID: { status: 422, message: 'Policy "{policyId}" cannot be edited like that: {reason}.' },
  EDIT_CONFLICT: {
    status: 409,
    message:
      'Policy "{policyId}" was changed since revision {base} where this edit changes it, too: {reason}. Read it again.',
  },
  EDIT_OUTDATED: {
    status: 412,
    message: 'Policy "{policyId}" was changed since revision {base}; it is now at revision {revision}: {reason}.',
  },
  EDIT_UNKNOWN: { status: 404, message: 'The history of policy "{policyId}" has no edit "{id}".' },
  TEMPLATE_UNKNOWN: {
    status: 422,
    message: 'There is no template "{template}"; list the templates to see which there are.',
  },
  POLICY_FILE_INVALID: { status: 422, message: 'The policy file cannot be used: {reason}.' },
  POLICY_FILE_TOO_LARGE: { status: 413, message: 'The policy file is over a limit: {reason}.' },
  TOOL_UNKNOWN: { status: 404, message: 'No tool was imported under the message {messageId} and the hash {hash}.' },
  TOOL_EXISTS: {
    status: 409,
    message: 'Another tool already exists under the message {messageId} and the hash {hash}.',
  },
  TOO_MANY_SUBSCRIBERS: {
    status: 503,
    message: 'There are {limit} subscriptions to events already, which is the limit. Try again later.',
    retryable: true,
  },
  TOO_MANY_POLICIES: {
    status: 422,
    message: 'A subscription to events can follow at most {limit} policies. Name the policies, or open several.',
  },
  OWNER_NOT_MEMBER: {
    status: 403,
    message:
      'Policy "{policyId}" accepts no external data for "{owner}": the owner must be a member of the policy, or a device that a member has registered.',
  },
  KEY_REGISTERED: {
    status: 409,
    message: 'The key "{key}" was registered before. A key is registered once, and a revoked one stays revoked.',
  },
  KEY_UNKNOWN: { status: 404, message: 'The caller has no registered key "{key}".' },
  KEY_REVOKED: { status: 409, message: 'The key "{key}" is revoked; register a new one.' },
  KEYS_TOO_MANY: {
    status: 422,
    message: 'The caller has registered {count} keys, including revoked ones, which is the limit for one member.',
  },
  TOKENS_TOO_MANY: {
    status: 422,
    message: 'There are {count} revoked tokens that have not expired yet, which is the limit.',
  },
  NOTIFICATION_UNKNOWN: { status: 404, message: 'The caller has no notification "{id}".' },
  WEBHOOKS_OFF: {
    status: 409,
    message: 'This server sends no webhooks. Its operator must first allow the addresses to call.',
  },
  WEBHOOK_URL_REFUSED: { status: 422, message: 'The webhook cannot call "{url}": {reason}.' },
  WEBHOOKS_TOO_MANY: {
    status: 422,
    message: 'Policy "{policyId}" has {count} webhooks, which is the limit for one policy. Remove one first.',
  },
  WEBHOOK_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no webhook "{id}".' },
  POLICY_INVALID: { status: 422, message: 'Policy "{policyId}" cannot be used: {reason}.' },
  BLOCK_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no block {block}.' },
  BLOCK_FORBIDDEN: {
    status: 403,
    message: 'Block "{tag}" of policy "{policyId}" is not open to this caller: {reason}.',
  },
  BLOCK_NOT_ACTIVE: {
    status: 409,
    message: 'Block "{tag}" of policy "{policyId}" is not active for this caller now: {reason}.',
  },
  BLOCK_NOT_READABLE: { status: 405, message: 'Block "{tag}" ({blockType}) cannot be read; it only accepts data.' },
  BLOCK_NOT_WRITABLE: { status: 405, message: 'Block "{tag}" ({blockType}) accepts no data; it can only be read.' },
  BLOCK_NEITHER: {
    status: 405,
    message: 'Block "{tag}" ({blockType}) can neither be read nor sent data; it runs on events.',
  },
  BLOCK_NOT_EXTERNAL: {
    status: 405,
    message: 'Block "{tag}" ({blockType}) of policy "{policyId}" accepts no external data.',
  },
  NOT_FED_FROM_OUTSIDE: {
    status: 422,
    message: 'No block of policy "{policyId}" takes data from outside of the policy.',
  },
  BLOCK_TYPE_UNKNOWN: {
    status: 409,
    message:
      'Block "{tag}" of policy "{policyId}" has the type {blockType}, which this engine does not know. Register it with createEngine({ blocks }).',
  },
  BLOCK_FAILED: {
    status: 500,
    message: 'Block "{tag}" ({blockType}) of policy "{policyId}" failed; nothing was changed.',
  },
  OUTPUT_UNDECLARED: {
    status: 500,
    message:
      'Block "{tag}" ({blockType}) of policy "{policyId}" emitted "{output}", but its type declares only {declared}. Add it to `outputs`.',
  },
  BLOCK_MISCONFIGURED: { status: 409, message: 'Block "{tag}" of policy "{policyId}" is misconfigured: {reason}.' },
  ...journalErrors,
  LEDGER_ABSENT: { status: 409, message: 'This instance has no external ledger that can be asked for this.' },
  PUBLICATION_UNKNOWN: { status: 404, message: 'The ledger has no message "{messageId}".' },
  PUBLICATION_UNREADABLE: { status: 422, message: 'The message "{messageId}" cannot be imported: {reason}.' },
  LEDGER_TOKEN_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no token "{tokenId}".' },
  SCHEMA_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no schema "{iri}".' },
  IDENTITY_UNKNOWN: { status: 404, message: 'There is no identity "{did}".' },
  BLOCK_WITHOUT_TIMER: {
    status: 409,
    message: 'Block "{tag}" ({blockType}) of policy "{policyId}" does not run on a schedule: it has no timetable.',
  },
  BLOCK_WITHOUT_DOCUMENTS: {
    status: 409,
    message: 'Block "{tag}" ({blockType}) of policy "{policyId}" shows no documents; choose a grid or a source.',
  },
  DOCUMENT_EXISTS: { status: 409, message: 'Policy "{policyId}" already has a document "{documentId}".' },
  DOCUMENT_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no document "{documentId}".' },
  DOCUMENT_INVALID: { status: 422, message: 'Document {position} cannot be added to policy "{policyId}": {reason}.' },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    message:
      'The document "{documentId}" of policy "{policyId}" has {bytes} bytes; the limit documentBytes is {limit}.',
  },
  QUOTA_EXCEEDED: {
    status: 409,
    message: '{whose} has reached the quota of {quota} in policy "{policyId}". Remove some, or ask for a higher quota.',
  },
  UNIT_TOO_LARGE: {
    status: 413,
    message:
      'The changes under "{key}" exceed {limit} bytes, the limit unitBytes of one unit of work. Nothing was changed; send less at a time.',
  },
  DOCUMENTS_TOO_MANY: {
    status: 422,
    message:
      'The run that began at block "{tag}" makes more than {limit} documents, the limit unitDocuments of one unit of work. Nothing was changed; make fewer at a time.',
  },
  PAGE_TOO_LARGE: {
    status: 413,
    message:
      'The answer exceeds {limit} bytes, the limit pageBytes. Ask for fewer items on a page, or raise the limit.',
  },
  BUNDLE_TOO_LARGE: {
    status: 413,
    message:
      'The proof of this document needs more than {limit} documents, messages or roles, which is the most for one bundle. Make bundles of the documents that it builds on.',
  },
  INPUT_INVALID: { status: 422, message: '{reason}' },
  BUTTON_UNKNOWN: { status: 422, message: 'Block "{tag}" has no button "{button}".' },
  BUTTON_NOT_OFFERED: {
    status: 422,
    message:
      'Button "{button}" of block "{tag}" is not available for this document: "{field}" does not have the required value.',
  },
  CHOICE_UNKNOWN: { status: 422, message: 'Block "{tag}" does not offer {choice} for "{field}".' },
  DOCUMENT_REFUSED: { status: 422, message: '{what}: block "{tag}" does not let {which} pass; {why}.' },
  DRAFT_UNSUPPORTED: {
    status: 422,
    message: 'Block "{tag}" keeps no drafts: no link begins at its DraftEvent, so nothing would store one.',
  },
  PRESET_CHANGED: { status: 422, message: 'Readonly preset field ({field}) can not be modified.' },
  REFERENCE_UNKNOWN: {
    status: 422,
    message: 'Invalid relationships: "ref" names no document that is open to this user.',
  },
  IDEMPOTENCY_KEY_USED: {
    status: 422,
    message: 'The idempotency key was already used for a different request to policy "{policyId}".',
  },
  ANSWER_NOT_JSON: {
    status: 500,
    message:
      'Block "{tag}" ({blockType}) of policy "{policyId}" returned an answer that JSON cannot represent: {reason}.',
  },
  ANSWER_NOT_KEPT: {
    status: 409,
    message:
      'Block "{tag}" of policy "{policyId}" already processed this data under the same idempotency key; its answer was too large to be kept.',
  },
  QUERY_INVALID: { status: 422, message: '{reason}' },
  ROLE_UNKNOWN: { status: 422, message: 'The role "{role}" does not exist at block "{tag}". It offers: {offered}.' },
  GROUP_UNKNOWN: { status: 422, message: 'The group "{group}" does not exist at block "{tag}". It offers: {offered}.' },
  ROLE_TAKEN: {
    status: 409,
    message:
      'The caller is already a member: they hold "{role}" in policy "{policyId}", and a role can be chosen only once.',
  },
  INVITATION_UNKNOWN: { status: 422, message: 'Invalid invitation: policy "{policyId}" has no such open invitation.' },
  MEMBERSHIP_UNKNOWN: { status: 404, message: 'The caller is not in the group "{group}" of policy "{policyId}".' },
  RUN_TOO_LONG: {
    status: 422,
    message: 'The run that began at block "{tag}" passed the limit of {limit}. Blocks on its way: {way}.',
  },
  READ_TOO_LONG: {
    status: 422,
    message:
      'Block "{tag}" ({blockType}) of policy "{policyId}" gave no answer within {limit} ms, the limit readMs of a read.',
  },
  RUN_ENDED: {
    status: 500,
    message:
      '{what} of policy "{policyId}" used its context after its run had ended; such writes would be lost. Await all work before the method returns, and do not keep `ctx`.',
  },
  DOCUMENT_MISSING: { status: 422, message: 'Block "{tag}" of policy "{policyId}" received no document.' },
  SCRIPT_FAILED: {
    status: 422,
    message: 'The script of block "{tag}" of policy "{policyId}" gave no result: {reason}.',
  },
  FORMULA_STOPPED: {
    status: 422,
    message: 'The formulas of block "{tag}" of policy "{policyId}" were stopped: {reason}.',
  },
  AMOUNT_INVALID: { status: 422, message: 'Invalid token value: {amount}, {reason}.' },
  TOKEN_UNKNOWN: { status: 422, message: 'Bad token id: "{tokenId}" is not a token of policy "{policyId}".' },
  ASSOCIATION_UNCHANGED: {
    status: 422,
    message: 'The account {accountId} is {state} associated with the token {tokenId}.',
  },
  LEDGER_REFUSED: { status: 422, message: 'The ledger refuses this: {reason}.' },
  RECIPIENT_UNKNOWN: {
    status: 422,
    message: 'Token recipient not set: block "{tag}" of policy "{policyId}" finds no ledger account, {reason}.',
  },
  CREDENTIAL_USED: {
    status: 409,
    message:
      'Block "{tag}" of policy "{policyId}" has already processed the credential "{credential}"; each credential counts only once.',
  },
  NOTHING_TO_CONFIRM: {
    status: 409,
    message: 'Data is unknown: block "{tag}" of policy "{policyId}" has nothing for this caller to confirm.',
  },
  ALREADY_SIGNED: {
    status: 409,
    message:
      'The document "{documentId}" has already been signed: each member votes once, and only until it is decided.',
  },
  ALREADY_REVOKED: { status: 422, message: 'The document "{documentId}" is already revoked.' },
  ALREADY_PRESSED: {
    status: 409,
    message: 'Button "{button}" of block "{tag}" was already pressed for the document "{documentId}".',
  },
  ALREADY_DECIDED: {
    status: 409,
    message: 'Block "{tag}" no longer offers the document "{documentId}": its status is {status} now.',
  },
  GROUP_FORBIDDEN: { status: 403, message: 'Permission denied: only the owner of the group "{group}" may do this.' },
  GROUP_CLOSED: { status: 422, message: 'Invalid Group type: this is not possible in the group "{group}", {reason}.' },
  HOST_NOT_ALLOWED: {
    status: 409,
    message:
      'Block "{tag}" of policy "{policyId}" may not call {address}: {reason}. Allow it with httpRequest: { allow: [...] }.',
  },
  INTEGRATION_NOT_ALLOWED: {
    status: 409,
    message:
      'Block "{tag}" of policy "{policyId}" may not call "{requestName}": the program allows no such request. Allow it with integrations: { requests: {...} }.',
  },
  SECRET_UNKNOWN: {
    status: 409,
    message:
      'Block "{tag}" of policy "{policyId}" needs the secret "{name}", which the engine does not have. Provide it with createEngine({ secrets }).',
  },
  REMOTE_CALL_FAILED: {
    status: 502,
    message: 'The call of {address} by block "{tag}" of policy "{policyId}" failed: {reason}.',
  },
  REQUEST_UNKNOWN: { status: 404, message: 'There is no request "{messageId}".' },
  REQUEST_CLOSED: { status: 409, message: 'Request "{messageId}" is already {status}.' },
  REQUEST_NOT_DONE: { status: 409, message: 'Request "{messageId}" has ended as {status}: {reason}.' },
  REQUEST_REFUSED: { status: 422, message: 'The message is not accepted: {reason}.' },
  RECORD_INVALID: { status: 422, message: 'The policy record does not fit the request "{messageId}": {reason}.' },
  SENDER_UNTRUSTED: { status: 403, message: 'Messages of the instance "{instance}" are not accepted.' },
  KEY_UNAVAILABLE: {
    status: 409,
    message:
      'No key is available here to sign as "{did}". Sign the credential elsewhere and send it: in place of the fields of a form, with a vote, or to a block that accepts external data.',
  },
  CREDENTIAL_INVALID: { status: 422, message: 'The credential is not accepted: {reason}.' },
  INSTANCE_MISSING: {
    status: 409,
    message:
      'This server has no instance id, so it cannot send requests to others. Its operator sets one: with BLOCKWORK_INSTANCE and BLOCKWORK_NATS_URL for `blockwork serve`, with createEngine({ instance }) in a program.',
  },
  IDENTITY_FOREIGN: { status: 422, message: 'Callers can only make requests in their own name.' },
  PEER_UNKNOWN: { status: 422, message: 'The instance "{instance}" is not a peer of this engine.' },
  MESSAGE_TOO_LARGE: { status: 413, message: 'A message to another instance is too large: {reason}.' },
  SIGNING_UNAVAILABLE: {
    status: 409,
    message: 'No key of "{signer}" is available here. Provide it with createEngine({ sign }).',
  },
  LINK_CLOSED: { status: 503, message: 'The link is closed.' },
  LINK_UNAVAILABLE: { status: 503, message: 'The link is unavailable: {reason}.', retryable: true },
  LEDGER_PENDING: { status: 503, message: 'The {what} "{id}" has no id on the ledger yet.', retryable: true },
  LEDGER_UNREACHABLE: { status: 503, message: 'The external ledger cannot be asked: {reason}.', retryable: true },
  CONFLICT: { status: 503, message: '"{key}" was changed concurrently. Try again.', retryable: true },
  STORE_UNAVAILABLE: { status: 503, message: 'The store is unavailable: {reason}.', retryable: true },
  COMMIT_UNKNOWN: {
    status: 503,
    message:
      'It is unknown whether the change was made: {reason}. Check before you send it again, or send it with the same idempotency key.',
  },
  HOST_WORK_UNSUPPORTED: {
    status: 501,
    message:
      'The store cannot commit writes of the program together with a send (commitWith). Use a store with the capability "hostWork", such as @blockwork/store-postgres.',
  },
  HOST_WORK_TOO_LONG: {
    status: 503,
    message:
      'The function given as commitWith took longer than {limit} ms and was rolled back together with the send. Do in it only what has to be committed.',
  },
  HOST_STATEMENT_REFUSED: {
    status: 422,
    message: 'The function given as commitWith may not do that in the transaction of the send: {reason}.',
  },
  STORE_CLOSED: { status: 503, message: 'The store is closed.' },
  STORE_LOCKED: {
    status: 503,
    message: 'The store at "{folder}" is in use by {holder}. Stop that process first, or use another folder.',
  },
  STORE_LOCK_LOST: {
    status: 503,
    message:
      'The store at "{folder}" has stopped, because it no longer owns the folder: {reason}. Commits that were not yet ' +
      'answered may be lost. Find out who changed the folder, then start again.',
  },
  ENGINE_CLOSED: { status: 503, message: 'The engine is closed.' },
  OPTION_INVALID: { status: 422, message: 'The option {option} cannot be used: {reason}.' },
  INTERNAL: {
    status: 500,
    message: 'An internal error occurred; the log has the details under the id of this request.',
  },
} as const satisfies Record<string, ErrorKind>;
