/** Splits bytes at line feeds only: strings in records may contain other separators. */

export async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer[] = [];
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield Buffer.concat([...rest, bytes.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}
