/** The formats of texts that are checked; others are taken as they are. */

const date = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const time = String.raw`([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d+)?)?`;
const zone = String.raw`(z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?`;

const formats: Readonly<Record<string, RegExp>> = {
  date: new RegExp(`^${date}$`),
  time: new RegExp(`^${time}${zone}$`, 'i'),
  'date-time': new RegExp(`^${date}[t ]${time}${zone}$`, 'i'),
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  url: /^[a-z][a-z\d+.-]*:\S+$/i,
  uuid: /^(urn:uuid:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

export const hasFormat = (name: string, text: string): boolean =>
  !Object.hasOwn(formats, name) || formats[name]?.test(text) === true;
