/** Cuts bytes into lines, at line feeds and nowhere else: texts of records may hold other separators. */

export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer[] = [];
  for await (const piece of source) {
    const bytes = Buffer.from(piece);
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
