/** Schema names that are valid in documents and programs. */

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Monitoring report (2024)` becomes `MonitoringReport2024`; duplicates are numbered. */
export function schemaNames(titles: ReadonlyMap<string, string>): Map<string, string> {
  const used = new Set<string>();
  return new Map(
    [...titles].map(([iri, title]) => {
      const words = (title.match(/[A-Za-z0-9]+/g) ?? []).map(capital).join('');
      const base = /^[A-Za-z]/.test(words) ? words : `Document${words}`;
      let name = base;
      for (let number = 2; used.has(name); number += 1) name = `${base}_${String(number)}`;
      used.add(name);
      return [iri, name];
    }),
  );
}
