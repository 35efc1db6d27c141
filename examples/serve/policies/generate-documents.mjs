/**
 * Writes `renewable-energy.documents.json`: a year of a small registry, 137 documents in the order in which they were
 * made. The same numbers come out on every machine, so the file changes only when this program does.
 *
 *     node examples/serve/policies/generate-documents.mjs
 */
import { writeFileSync } from 'node:fs';

const registry = 'did:example:registry';
const developer = 'did:example:developer';
const cooperative = 'did:example:northwind-cooperative';
const utility = 'did:example:upland-hydro';

/** The month (0 is November 2025) is that of the first reading; the factor, what a megawatt yields on average. */
const sites = [
  ['Kestrel Ridge', 'wind', 14.4, 'North', developer, 0, 0.31],
  ['Upper Weir', 'hydro', 3.2, 'Uplands', utility, 0, 0.52],
  ['Harbour Roofs', 'solar', 1.8, 'Coast', developer, 1, 0.13],
  ['Long Fell', 'wind', 21.6, 'North', cooperative, 2, 0.34],
  ['Old Quarry', 'solar', 6.5, 'South', developer, 3, 0.16],
  ['Mill Race', 'hydro', 0.9, 'Uplands', utility, 4, 0.48],
  ['Saltmarsh', 'solar', 9.7, 'Coast', cooperative, 4, 0.15],
  ['Beacon Hill', 'wind', 8.4, 'North', cooperative, 5, 0.29],
  ['Station Yard', 'solar', 2.4, 'South', developer, 6, 0.15],
  ['Lower Weir', 'hydro', 2.1, 'Uplands', utility, 7, 0.5],
  ['Orchard Field', 'solar', 4.3, 'South', cooperative, 8, 0.16],
  ['Cape Point', 'wind', 18.0, 'Coast', developer, 8, 0.37],
].map(([name, technology, capacityMW, gridZone, owner, firstMonth, factor], position) => ({
  ...{ name, technology, capacityMW, gridZone, owner, firstMonth, factor },
  siteId: `SITE-${digits(position + 1, 3)}`,
  meterSerial: `EM-${digits(40213 + position * 577, 6)}`,
}));

/** What a month is worth, November first: the sun peaks in June, the wind in winter, the water with the melting snow. */
const seasons = {
  solar: [0.45, 0.35, 0.4, 0.6, 0.9, 1.2, 1.5, 1.65, 1.6, 1.4, 1.05, 0.7],
  wind: [1.2, 1.3, 1.35, 1.25, 1.15, 0.95, 0.85, 0.75, 0.7, 0.75, 0.95, 1.1],
  hydro: [1.0, 0.95, 0.85, 0.9, 1.2, 1.5, 1.45, 1.1, 0.8, 0.65, 0.75, 0.9],
};
const lastMonth = 11;
const requests = 16;
const random = generator(20251101);

const documents = [];
for (const site of sites) addSite(site);
const readings = sites.flatMap((site) => readingsOf(site));
addRequests(quartersOf(readings).slice(0, requests));
documents.push(...readings.map((reading) => reading.record));
documents.sort((a, b) => (a.createDate < b.createDate ? -1 : 1));

const file = new URL('renewable-energy.documents.json', import.meta.url);
writeFileSync(file, `[\n${documents.map((document) => JSON.stringify(document)).join(',\n')}\n]\n`);
console.log(`${documents.length} documents written to ${file.pathname}`);

function addSite(site) {
  const { owner, name, technology, capacityMW, gridZone, siteId, meterSerial } = site;
  const made = time(site.firstMonth, 3);
  const subject = { siteId, name, technology, capacityMW, gridZone, meterSerial, registeredOn: day(made) };
  const status = site.firstMonth === 8 && technology === 'wind' ? 'Under review' : 'Registered';
  site.record = credential('site', owner, owner, made, status, subject);
  documents.push(site.record);
}

/** One reading for each month since the site began, made in the first days of the month that follows. */
function readingsOf(site) {
  const readings = [];
  for (let month = site.firstMonth; month <= lastMonth; month += 1) {
    const from = time(month, 1, 0);
    const to = time(month + 1, 0, 0);
    const hours = to.getUTCDate() * 24;
    const yielded = site.capacityMW * hours * site.factor * seasons[site.technology][month] * (0.9 + random() * 0.2);
    const subject = {
      ...{ siteId: site.siteId, siteName: site.name, gridZone: site.gridZone, meterSerial: site.meterSerial },
      ...{ periodStart: day(from), periodEnd: day(to), energyMWh: Math.round(yielded * 100) / 100 },
    };
    const made = time(month + 1, 2 + Math.floor(random() * 8));
    const status = month === lastMonth || (month === lastMonth - 1 && random() < 0.5) ? 'Submitted' : 'Verified';
    const record = credential('meter_reading', site.owner, site.owner, made, status, subject, [site.record]);
    readings.push({ site, month, subject, record });
  }
  return readings;
}

/** Three months in a row of one site, the earliest first. */
function quartersOf(readings) {
  const quarters = sites.flatMap((site) => {
    const own = readings.filter((reading) => reading.site === site && reading.record.option.status === 'Verified');
    return own.flatMap((_, position) => (position % 3 === 2 ? [own.slice(position - 2, position + 1)] : []));
  });
  return quarters.sort((a, b) => a[2].month - b[2].month);
}

/** Issue requests over those quarters; what is approved becomes certificates, and the oldest have been used by now. */
function addRequests(quarters) {
  let serial = 1;
  quarters.forEach((quarter, position) => {
    const { site, month } = quarter[2];
    const energyMWh = Math.round(quarter.reduce((sum, reading) => sum + reading.subject.energyMWh, 0) * 100) / 100;
    const period = { periodStart: quarter[0].subject.periodStart, periodEnd: quarter[2].subject.periodEnd };
    const of = { siteId: site.siteId, siteName: site.name };
    const status = position === 5 ? 'Rejected' : position < quarters.length - 2 ? 'Approved' : 'Requested';
    const sources = quarter.map((reading) => reading.record);
    const made = time(month + 1, 12 + Math.floor(random() * 4));
    const request = credential(
      'issue_request',
      site.owner,
      site.owner,
      made,
      status,
      { ...of, ...period, energyMWh },
      sources,
    );
    documents.push(request);
    if (status === 'Rejected') {
      request.option.comment = 'The reading differs from the feed-in by four per cent.';
      quarter[1].record.option = { status: 'Rejected', comment: 'Differs from the feed-in by four per cent.' };
    }
    if (status !== 'Approved') return;
    const amount = Math.floor(energyMWh);
    const [serialFrom, serialTo] = [serial, serial + amount - 1].map((number) => `REC-${digits(number, 6)}`);
    serial += amount;
    const vintage = period.periodEnd.slice(0, 7);
    const subject = { ...of, vintage, amount, serialFrom, serialTo, tokenId: '0.0.5801377' };
    const issued = time(month + 1, 18 + Math.floor(random() * 5));
    const used = position < 4 ? 'Retired' : 'Issued';
    documents.push(credential('certificate', site.owner, registry, issued, used, subject, [request]));
  });
}

function credential(type, owner, issuer, made, status, subject, sources = []) {
  const createDate = made.toISOString();
  return {
    id: uuid(),
    type,
    owner,
    option: { status },
    messageId: `${made.getTime() / 1000}.${digits(Math.floor(random() * 1e9), 9)}`,
    relationships: sources.map((source) => source.messageId),
    createDate,
    document: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      id: `urn:uuid:${uuid()}`,
      type: ['VerifiableCredential'],
      issuer,
      issuanceDate: createDate,
      credentialSubject: [{ id: `urn:uuid:${uuid()}`, ...subject }],
    },
  };
}

/** A moment of working hours, unless the hour is given; months count from November 2025. */
function time(month, dayOfMonth, hour) {
  if (hour !== undefined) return new Date(Date.UTC(2025, 10 + month, dayOfMonth, hour));
  return new Date(
    Date.UTC(
      2025,
      10 + month,
      dayOfMonth,
      8 + Math.floor(random() * 9),
      Math.floor(random() * 60),
      Math.floor(random() * 60),
    ),
  );
}

function day(moment) {
  return moment.toISOString().slice(0, 10);
}

function digits(number, width) {
  return String(number).padStart(width, '0');
}

/** A UUID of version 4 by shape, from the seeded generator. */
function uuid() {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '89ab'[Math.floor(random() * 4)];
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** mulberry32: small, and good enough to make days and kilowatt hours look lived in. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
