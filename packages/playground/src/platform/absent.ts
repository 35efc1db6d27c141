/** Modules of Node.js that a page cannot have: files, processes, sockets and streams. What is called says so. */

function absent(): never {
  throw new Error('This needs Node.js: a page has no files, processes or sockets.');
}

export {
  absent as createRequire,
  absent as dirname,
  absent as existsSync,
  absent as extname,
  absent as join,
  absent as lookup,
  absent as mkdir,
  absent as monitorEventLoopDelay,
  absent as open,
  absent as pipeline,
  absent as Readable,
  absent as readdirSync,
  absent as readFile,
  absent as readFileSync,
  absent as relative,
  absent as request,
  absent as stat,
};

export const sep = '/';
