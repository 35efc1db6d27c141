/** The countries of each continent (ISO 3166-1). One on two continents belongs to both. */

const countries: Readonly<Record<string, string>> = {
  AF: `AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH
    SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW`,
  AN: 'AQ BV GS HM TF',
  AS: `AE AF AM AZ BD BH BN BT CC CN CX CY EG GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA
    RU SA SG SY TH TJ TL TM TR TW UZ VN YE`,
  EU: `AD AL AM AT AX AZ BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GE GG GI GR HR HU IE IM IS IT JE KZ LI LT LU LV MC MD ME MK MT NL
    NO PL PT RO RS RU SE SI SJ SK SM TR UA VA XK`,
  NA: `AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI`,
  OC: 'AS AU CC CK CX FJ FM GU ID KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GS GY PE PY SR TT UY VE',
};

export const continents: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(countries).map(([continent, codes]) => [continent, new Set(codes.split(/\s+/))]),
);
