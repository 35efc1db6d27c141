/** Protocol buffers (proto3): messages are described as data, and one description both encodes and decodes. */

/** A value as the wire has it: a varint, or bytes with a length. */
type Raw = bigint | Uint8Array;

export interface Type<Value> {
  /** Whether several values of a field are written in one piece, as numbers are. */
  readonly isPacked?: true;
  encode(value: Value): Raw;
  decode(raw: Raw): Value;
}

export interface Field<Value> {
  readonly number: number;
  readonly isRepeated: boolean;
  readonly type: Type<Value>;
}

type Shape = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends { isRepeated: true; type: Type<infer V> }
  ? readonly V[]
  : F extends { type: Type<infer V> }
    ? V
    : never;

/** The value of a message: members that are absent or have their default value are not written. */
export type MessageOf<S extends Shape> = { readonly [Name in keyof S]?: ValueOf<S[Name]> };
/** The value that a described message encodes from and decodes to. */
export type Value<T> = T extends Type<infer V> ? V : never;

class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

const malformed = (reason: string): never => {
  throw new MalformedMessage(`The message is not a valid protocol buffer: ${reason}.`);
};
const asVarint = (raw: Raw): bigint => (typeof raw === 'bigint' ? raw : malformed('bytes where a number belongs'));
const asBytes = (raw: Raw): Uint8Array => (typeof raw === 'bigint' ? malformed('a number where bytes belong') : raw);

/** `int32`, `int64`, `uint32`, `uint64` and enumerations. */
export const int: Type<bigint> = {
  isPacked: true,
  encode: (value) => BigInt.asUintN(64, value),
  decode: (raw) => BigInt.asIntN(64, asVarint(raw)),
};
/** `sint64`, in zigzag. */
export const sint: Type<bigint> = {
  isPacked: true,
  encode: (value) => BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)),
  decode: (raw) => (asVarint(raw) >> 1n) ^ -(asVarint(raw) & 1n),
};
export const bytes: Type<Uint8Array> = { encode: (value) => value, decode: asBytes };
export const text: Type<string> = {
  encode: (value) => Buffer.from(value, 'utf8'),
  decode: (raw) => Buffer.from(asBytes(raw)).toString('utf8'),
};

export const one = <V>(number: number, type: Type<V>): Field<V> & { isRepeated: false } => ({
  number,
  type,
  isRepeated: false,
});
export const many = <V>(number: number, type: Type<V>): Field<V> & { isRepeated: true } => ({
  number,
  type,
  isRepeated: true,
});

export function message<const S extends Shape>(shape: S): Type<MessageOf<S>> {
  const fields = Object.entries<Field<unknown>>(shape)
    .map(([name, field]) => ({ name, ...field }))
    .sort((a, b) => a.number - b.number);
  const byNumber = new Map(fields.map((field) => [field.number, field]));
  const encode = (value: Readonly<Record<string, unknown>>): Uint8Array => {
    const parts: Uint8Array[] = [];
    for (const { name, number, type, isRepeated } of fields) {
      const member = value[name];
      if (member === undefined) continue;
      const items = (isRepeated ? (member as readonly unknown[]) : [member]).map((item) => type.encode(item));
      if (isRepeated && type.isPacked) {
        if (items.length > 0)
          parts.push(...lengthPrefixed(number, Buffer.concat(items.map((item) => varint(asVarint(item))))));
        continue;
      }
      for (const raw of items) {
        if (!isRepeated && isDefault(raw, member)) continue;
        parts.push(...(typeof raw === 'bigint' ? [tag(number, 0), varint(raw)] : lengthPrefixed(number, raw)));
      }
    }
    return Buffer.concat(parts);
  };
  const decode = (raw: Raw): Readonly<Record<string, unknown>> => {
    const value: Record<string, unknown> = {};
    for (const { number, raw: item } of fieldsIn(asBytes(raw))) {
      const field = byNumber.get(number);
      if (field === undefined) continue;
      const { name, type, isRepeated } = field;
      if (!isRepeated) value[name] = type.decode(item);
      else {
        // A writer may pack numbers or not.
        const items = type.isPacked && typeof item !== 'bigint' ? varintsIn(item) : [item];
        const before = (value[name] as readonly unknown[] | undefined) ?? [];
        value[name] = [...before, ...items.map((each) => type.decode(each))];
      }
    }
    return value;
  };
  return { encode, decode } as unknown as Type<MessageOf<S>>;
}

/** The bytes of a message. */
export const encode = <V>(type: Type<V>, value: V): Uint8Array => asBytes(type.encode(value));

/** A message is written even if it is empty: that it is there is a fact. */
const isDefault = (raw: Raw, value: unknown): boolean =>
  typeof raw === 'bigint' ? raw === 0n : raw.length === 0 && (typeof value === 'string' || value instanceof Uint8Array);

const tag = (number: number, wire: 0 | 2): Uint8Array => varint(BigInt(number * 8 + wire));
const lengthPrefixed = (number: number, content: Uint8Array): Uint8Array[] => [
  tag(number, 2),
  varint(BigInt(content.length)),
  content,
];

function varint(value: bigint): Uint8Array {
  const out: number[] = [];
  let rest = value;
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Uint8Array.from([...out, Number(rest)]);
}

class Reader {
  #at = 0;
  constructor(private readonly content: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.content.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.content[this.#at++] ?? malformed('it ends early');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    return malformed('a number has more than ten bytes');
  }

  bytes(length: number): Uint8Array {
    if (length > this.content.length - this.#at) malformed('it ends early');
    return this.content.subarray(this.#at, (this.#at += length));
  }
}

function varintsIn(content: Uint8Array): bigint[] {
  const reader = new Reader(content);
  const values: bigint[] = [];
  while (!reader.isAtEnd) values.push(reader.varint());
  return values;
}

/** Fields of unknown numbers are passed over, fixed-size ones too. */
function* fieldsIn(content: Uint8Array): Generator<{ number: number; raw: Raw }> {
  const reader = new Reader(content);
  while (!reader.isAtEnd) {
    const key = Number(reader.varint());
    const [number, wire] = [Math.floor(key / 8), key % 8];
    if (wire === 0) yield { number, raw: reader.varint() };
    else if (wire === 2) yield { number, raw: reader.bytes(Number(reader.varint())) };
    else if (wire === 1 || wire === 5) reader.bytes(wire === 1 ? 8 : 4);
    else malformed(`wire type ${String(wire)}`);
  }
}
