/** Archive entry names derived from arbitrary text. */

/** Gives each entry a unique name that every reader accepts. */
export class EntryNames {
  readonly #taken = new Set<string>();

  /** For example `tokens/Credit.json`, and `tokens/Credit_2.json` for the second token of that name. */
  next(folder: string, name: string, ending = ''): string {
    const plain = name.replaceAll(/[/\\:\0]|\.\.+/g, '_') || '_';
    let candidate = `${folder}/${plain}${ending}`;
    for (let count = 2; this.#taken.has(candidate); count += 1) candidate = `${folder}/${plain}_${count}${ending}`;
    this.#taken.add(candidate);
    return candidate;
  }
}
