/** What the command says of itself. */

export const usage = `blockwork-store: looks after the folder of a Blockwork file store.

  blockwork-store verify  <folder>             reads everything and says whether it is sound; changes nothing
  blockwork-store repair  <folder>             mends what can be mended without loss, and says what is damaged
  blockwork-store repair  <folder> --accept-loss
                                               gives up what cannot be read: it goes to the quarantine
  blockwork-store compact <folder>             makes the folder as small as it can be
  blockwork-store backup  <folder> <target>    copies the store into a new folder
  blockwork-store restore <backup> <folder>    copies a backup into a new folder
  blockwork-store export  <folder> [file]      writes everything as lines of JSON, to standard output without a file
  blockwork-store import  <folder> [file]      makes a new store of such lines, of standard input without a file

While a process has the store open, verify, backup and export work all the same; repair and compact are refused.

Ends with 0 when all is well, with 1 when it is not, and with 2 when the command was not understood.
`;
