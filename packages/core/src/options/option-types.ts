/** Types of options. The messages continue "it ...". */
import { z } from 'zod';
import type {
  Accounts,
  Clock,
  CredentialSigner,
  Ids,
  Keys,
  Ledger,
  Link,
  Logger,
  LogReader,
  Notifications,
  PolicyStore,
  Secrets,
  Timers,
  ToolSource,
  WebhookSender,
} from '../ports/index.js';
import { isObject } from '../records/index.js';

export type OptionType<Value = unknown> = z.ZodType<Value, Value>;

/** Accepts values that pass the test; `requirement` reads like "must be a port number". */
const satisfying = <Value>(test: (value: unknown) => boolean, requirement: string): OptionType<Value> =>
  z.custom<Value>(test, requirement);

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

function isBackoff(value: unknown, longest: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, most] = value as unknown[];
  return isWhole(first, 1, longest) && isWhole(most, first, longest);
}

/** Node fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type MethodOf<Port> = {
  [Name in keyof Port]-?: Port[Name] extends (...given: never) => unknown ? Name : never;
}[keyof Port];

/** An object with these methods. The compiler checks that the list matches the port exactly. */
function port<Port>(methods: Readonly<Record<MethodOf<Port>, true>>): OptionType<Port> {
  const names = Object.keys(methods);
  return satisfying(
    (value) => isObject(value) && names.every((name) => isFunction(value[name])),
    `must have the method${names.length === 1 ? '' : 's'} ${names.join(', ')}`,
  );
}

export const optionTypes = {
  satisfying,
  /** The same check, for a TypeScript type that says more than it. */
  as: <Value>(type: OptionType): OptionType<Value> => type as OptionType<Value>,
  text: satisfying<string>((value) => typeof value === 'string' && value !== '', 'must be a non-empty string'),
  flag: satisfying<boolean>((value) => typeof value === 'boolean', 'must be true or false'),
  function: satisfying<(...args: never) => unknown>(isFunction, 'must be a function'),
  object: satisfying<object>(isObject, 'must be an object'),
  list: <Item = unknown>(of?: OptionType<Item>): OptionType<readonly Item[]> => z.array(of ?? z.custom<Item>()),
  oneOf: <const Values extends readonly string[]>(...values: Values): OptionType<Values[number]> =>
    satisfying((value) => values.some((each) => each === value), `must be one of ${values.join(', ')}`),
  wholeNumber: (least: number, most = Number.MAX_SAFE_INTEGER): OptionType<number> =>
    satisfying(
      (value) => isWhole(value, least, most),
      `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
    ),
  /** A duration that a timer supports. */
  milliseconds: (least: number): OptionType<number> => optionTypes.wholeNumber(least, LONGEST_TIMER_MS),
  /** Initial and maximum backoff in milliseconds, such as `[50, 10_000]`. */
  backoff: satisfying<readonly [first: number, most: number]>(
    (value) => isBackoff(value, LONGEST_TIMER_MS),
    `must be two whole numbers from 1 to ${LONGEST_TIMER_MS}, the smaller one first`,
  ),

  accounts: port<Accounts>({ accountOf: true }),
  clock: port<Clock>({ now: true }),
  ids: port<Ids>({ uuid: true }),
  keys: port<Keys>({ publicKey: true, sign: true }),
  ledger: port<Ledger>({ check: true, settle: true, close: true }),
  link: port<Link>({ publish: true, subscribe: true, onLoss: true, status: true, close: true }),
  logger: port<Logger>({ debug: true, info: true, warn: true, error: true }),
  logReader: port<LogReader>({ find: true }),
  notifications: port<Notifications>({ deliver: true }),
  secrets: port<Secrets>({ get: true }),
  signer: port<CredentialSigner>({ sign: true, verify: true }),
  store: port<PolicyStore>({ revision: true, get: true, find: true, count: true, commit: true, close: true }),
  timers: port<Timers>({ after: true }),
  toolSource: port<ToolSource>({ find: true }),
  webhookSender: port<WebhookSender>({ refusal: true, send: true }),
};
