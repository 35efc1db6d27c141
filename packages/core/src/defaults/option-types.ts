/** Types of options: values, and the ports that an embedding program provides. */
import { valueTypes, type OptionType } from '../options/index.js';
import type {
  Accounts,
  Clock,
  CredentialSigner,
  DidMethod,
  Ids,
  Keys,
  Ledger,
  Link,
  LinkedData,
  Logger,
  LogReader,
  Notifications,
  PolicyStore,
  Secrets,
  PublicationSource,
  Timers,
  ToolSource,
  WebhookSender,
} from '../ports/index.js';
import { isObject } from '../records/index.js';

const isFunction = (value: unknown): boolean => typeof value === 'function';

type MethodOf<Port> = {
  [Name in keyof Port]-?: Port[Name] extends (...args: never) => unknown ? Name : never;
}[keyof Port];

/** An object with these methods. The compiler checks that the list matches the port exactly. */
function port<Port>(methods: Readonly<Record<MethodOf<Port>, true>>): OptionType<Port> {
  const names = Object.keys(methods);
  return valueTypes.satisfying(
    (value) => isObject(value) && names.every((name) => isFunction(value[name])),
    `must have the method${names.length === 1 ? '' : 's'} ${names.join(', ')}`,
  );
}

export const optionTypes = {
  ...valueTypes,
  accounts: port<Accounts>({ accountOf: true }),
  clock: port<Clock>({ now: true }),
  didMethod: port<DidMethod>({ identityOf: true }),
  ids: port<Ids>({ uuid: true }),
  keys: port<Keys>({ publicKey: true, sign: true }),
  ledger: port<Ledger>({ check: true, settle: true, close: true }),
  link: port<Link>({ publish: true, subscribe: true, onLoss: true, status: true, close: true }),
  linkedData: port<LinkedData>({ hashes: true }),
  logger: port<Logger>({ debug: true, info: true, warn: true, error: true }),
  logReader: port<LogReader>({ find: true }),
  notifications: port<Notifications>({ deliver: true }),
  publications: port<PublicationSource>({ read: true }),
  secrets: port<Secrets>({ get: true }),
  signer: port<CredentialSigner>({ sign: true, verify: true }),
  store: port<PolicyStore>({ revision: true, get: true, find: true, count: true, commit: true, close: true }),
  timers: port<Timers>({ after: true }),
  toolSource: port<ToolSource>({ find: true }),
  webhookSender: port<WebhookSender>({ refusal: true, send: true }),
};
