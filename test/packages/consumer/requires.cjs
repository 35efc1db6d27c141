/** Requires every entry point that is named, and prints the names that each exports, as JSON. */
const exported = {};
for (const entry of process.argv.slice(2)) exported[entry] = Object.keys(require(entry));
console.log(JSON.stringify(exported));
