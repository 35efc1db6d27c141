/** A page with commands and files as steps to follow: what a reader would type, in the order of the page. */

/**
 * The blocks of code of a page. `sh` is typed, `text` is what was printed before it, `diff` changes a file, and any other
 * language is a whole file. A comment before a block says which `file` it is about, that the command `fails`, or which
 * `terminal` it is typed in.
 *
 * @param {string} page
 * @returns {{ line: number, language: string, code: string, file?: string, terminal?: string, fails: boolean }[]}
 */
export function stepsOf(page) {
  const pattern = /(?:<!-- ([a-z]+)(?:: ([^\n]*?))? -->\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm;
  return [...page.matchAll(pattern)].map(({ index, 1: note, 2: value, 3: language, 4: code }) => {
    const line = page.slice(0, index).split('\n').length;
    const noted = (name) => (note === name ? (value ?? '') : undefined);
    return { line, language, code, file: noted('file'), terminal: noted('terminal'), fails: note === 'fails' };
  });
}

/**
 * A file with the lines that begin with `-` replaced by those that begin with `+`, where the others stand around them.
 *
 * @param {string} text
 * @param {string} diff
 */
export function patched(text, diff) {
  const lines = diff.replace(/\n$/, '').split('\n');
  const side = (sign) => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1));
  const [before, after] = [`${side('+').join('\n')}\n`, `${side('-').join('\n')}\n`];
  const parts = text.split(before);
  if (parts.length !== 2) {
    throw new Error(`These lines stand there ${parts.length - 1} times, and not once:\n${before}`);
  }
  return parts.join(after);
}

/**
 * The lines of `expected` that `printed` does not have, in their order.
 *
 * @param {string} expected
 * @param {string} printed
 */
export function missingLines(expected, printed) {
  let rest = printed;
  return expected
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => {
      const at = rest.indexOf(line);
      if (at >= 0) rest = rest.slice(at + line.length);
      return at < 0;
    });
}
