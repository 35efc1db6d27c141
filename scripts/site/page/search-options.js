/** How the pages are searched: the same when the index is made and when it is used. */
export const searchOptions = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading'],
  searchOptions: { boost: { title: 3, heading: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
