/** Multiples in decimal arithmetic: 0.07 is one of 0.01, which floating point denies. */

export function isMultipleOf(value: number, step: number): boolean {
  const one = decimal(value);
  const other = decimal(step);
  const exponent = Math.min(one.exponent, other.exponent);
  return scaled(one, exponent) % scaled(other, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** From the shortest decimal that stands for this number. */
function decimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', part = ''] = mantissa.split('.');
  return { digits: BigInt(whole + part), exponent: Number(exponent) - part.length };
}

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);
